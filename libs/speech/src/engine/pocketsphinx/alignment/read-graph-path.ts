import type { AlignedWord } from '../../../alignment/word-aligner.js';
import type { RecognizedWord } from '../../engine.js';
import { restoreVocabularyTerms } from '../vocabulary/restore-vocabulary-terms.js';
import type { Vocabulary } from '../vocabulary/prepare-vocabulary.js';
import { type WordGraph, parseGraphWordIndex } from './word-graph.js';

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
