import type { AlignedWord } from '../../../alignment/word-aligner.js';
import type { RecognizedWord } from '../../engine.js';
import { MAX_PHONE_DISTANCE, type TermArc } from './term-arcs.js';
import type { Vocabulary } from '../vocabulary/prepare-vocabulary.js';
import { restoreVocabularyTerms } from '../vocabulary/restore-vocabulary-terms.js';

/** Names of the words of a chunk as the engine prints them: no word of the dictionary has a colon. */
export function graphWordName(index: number): string {
  return `said:${index}`;
}

/** The number in such a name, whatever pronunciation was heard; null for terms, silence and noise. */
export function parseGraphWordIndex(name: string): number | null {
  const [, index] = /^said:(\d+)(?:\(\d+\))?$/.exec(name) ?? [];
  return index === undefined ? null : Number(index);
}

/** Words of a chunk from number `first` on, and what may have been said instead of some. */
export interface WordGraph {
  first: number;
  count: number;
  arcs: readonly TermArc[];
}

/**
 * How likely each written word is taken to be where a term may have been said too. Only the ratio to a term's arc
 * counts: one that sounds just like what was written is this much likelier than it, one that hardly does not at all.
 */
const WRITTEN_PROBABILITY = 5e-4;

/**
 * A grammar, in the engine's own format, in which the words can only be said in their order, or a term in the place of
 * some of them. Silence between them is the engine's to add.
 */
export function formatWordGraph({ first, count, arcs }: WordGraph): string {
  const steps = Array.from(
    { length: count },
    (_, at) => `${at} ${at + 1} ${WRITTEN_PROBABILITY} ${graphWordName(first + at)}`,
  );
  const others = arcs.map(({ from, to, name, distance }) => {
    const likelihood = WRITTEN_PROBABILITY ** (to - from - 1 + distance / MAX_PHONE_DISTANCE);
    return `${from} ${to} ${likelihood} ${name}`;
  });
  return [
    'FSG_BEGIN <stretch>',
    `NUM_STATES ${count + 1}`,
    'START_STATE 0',
    `FINAL_STATE ${count}`,
    ...[...steps, ...others].map((step) => `TRANSITION ${step}`),
    'FSG_END',
    '',
  ].join('\n');
}

/**
 * What the engine found in one stretch, as it is written: `said` are the words of the stretch. Null when it lost its
 * way, and nothing of it can be trusted.
 */
export function readGraphPath(
  found: readonly RecognizedWord[],
  { first, count, arcs }: WordGraph,
  said: readonly string[],
  vocabulary: Vocabulary,
): AlignedWord[] | null {
  const words: AlignedWord[] = [];
  let reached = 0;
  for (const word of found) {
    const { text, start, end } = word;
    if (parseGraphWordIndex(text) === first + reached) {
      words.push({ text: said[reached] ?? '', start, end, segmentWordIndex: reached });
      reached += 1;
    } else {
      const arc = arcs.find(({ from, name }) => from === reached && name === text);
      if (!arc) return null;
      const term = restoreVocabularyTerms([word], { listed: vocabulary.listed, phrases: [] });
      words.push(...addSurroundingMarks(term, said[arc.from] ?? '', said[arc.to - 1] ?? ''));
      reached = arc.to;
    }
  }
  return reached === count ? words : null;
}

/** Marks around what was written stay around the term that takes its place. */
function addSurroundingMarks(term: readonly RecognizedWord[], first: string, last: string): AlignedWord[] {
  const [before = ''] = /^[^\p{L}\p{N}]*/u.exec(first) ?? [];
  const [after = ''] = /[^\p{L}\p{N}]*$/u.exec(last) ?? [];
  return term.map(({ text, start, end }, index) => ({
    text: (index === 0 ? before : '') + text + (index === term.length - 1 ? after : ''),
    start,
    end,
    segmentWordIndex: null,
  }));
}
