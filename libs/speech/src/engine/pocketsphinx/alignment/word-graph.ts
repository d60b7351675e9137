import type { AlignedWord } from '../../../alignment/word-and-term-aligner.js';
import type { RecognizedWord } from '../../engine.js';
import { MAX_PHONE_DISTANCE, type TermArc } from './term-arcs.js';
import type { PocketsphinxVocabulary } from '../vocabulary/build-pocketsphinx-vocabulary.js';
import { restoreVocabularyTerms } from '../vocabulary/restore-vocabulary-terms.js';

/** The colon distinguishes a chunk's words from dictionary words. */
export function formatGraphWordName(index: number): string {
  return `said:${index}`;
}

/** Accepts any pronunciation variant; null for terms, silence and noise. */
export function parseGraphWordIndex(name: string): number | null {
  const [, index] = /^said:(\d+)(?:\(\d+\))?$/.exec(name) ?? [];
  return index === undefined ? null : Number(index);
}

/** `count` words from index `first` on, with alternatives for some. */
export interface WordGraph {
  first: number;
  count: number;
  arcs: readonly TermArc[];
}

/**
 * Probability of each written word. Only its ratio to the arcs of terms matters: a term with identical phones is less
 * likely by this factor raised to the number of replaced words minus one, a dissimilar term by one factor more.
 */
const WRITTEN_PROBABILITY = 5e-4;

/**
 * Formats a finite-state grammar (FSG) that accepts the words in order, or terms in place of some. The engine adds
 * silence.
 */
export function formatWordGraph({ first, count, arcs }: WordGraph): string {
  const steps = Array.from(
    { length: count },
    (_, at) => `${at} ${at + 1} ${WRITTEN_PROBABILITY} ${formatGraphWordName(first + at)}`,
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

/** Returns null if the words do not form a complete path through the graph. */
export function restoreWrittenWordsAndTerms(
  found: readonly RecognizedWord[],
  { first, count, arcs }: WordGraph,
  segmentWords: readonly string[],
  vocabulary: PocketsphinxVocabulary,
): AlignedWord[] | null {
  const words: AlignedWord[] = [];
  let reached = 0;
  for (const word of found) {
    const { text, start, end } = word;
    if (parseGraphWordIndex(text) === first + reached) {
      words.push({ text: segmentWords[reached] ?? '', start, end, segmentWordIndex: reached });
      reached += 1;
    } else {
      const arc = arcs.find(({ from, name }) => from === reached && name === text);
      if (!arc) return null;
      const term = restoreVocabularyTerms([word], {
        termsByEngineName: vocabulary.termsByEngineName,
        phrases: [],
      });
      words.push(...addSurroundingMarks(term, segmentWords[arc.from] ?? '', segmentWords[arc.to - 1] ?? ''));
      reached = arc.to;
    }
  }
  return reached === count ? words : null;
}

/** Keeps the punctuation around the replaced words. */
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
