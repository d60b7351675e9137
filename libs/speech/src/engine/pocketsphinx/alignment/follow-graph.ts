import type { TimedWord } from '../../../align/word-aligner.js';
import type { HeardWord } from '../../engine.js';
import { restoreTerms } from '../vocabulary/restore.js';
import type { Vocabulary } from '../vocabulary/vocabulary.js';
import { type SaidInOrder, wordIndex } from './word-graph.js';

/**
 * What the engine found in one stretch, as it is written: `said` are the words of the stretch. Null when it lost its
 * way, and nothing of it can be trusted.
 */
export function followGraph(
  found: readonly HeardWord[],
  { first, count, arcs }: SaidInOrder,
  said: readonly string[],
  vocabulary: Vocabulary,
): TimedWord[] | null {
  const words: TimedWord[] = [];
  let reached = 0;
  for (const word of found) {
    const { text, start, end } = word;
    if (wordIndex(text) === first + reached) {
      words.push({ text: said[reached] ?? '', start, end, said: reached });
      reached += 1;
    } else {
      const arc = arcs.find(({ from, name }) => from === reached && name === text);
      if (!arc) return null;
      const term = restoreTerms([word], { listed: vocabulary.listed, phrases: [] });
      words.push(...withMarks(term, said[arc.from] ?? '', said[arc.to - 1] ?? ''));
      reached = arc.to;
    }
  }
  return reached === count ? words : null;
}

/** Marks around what was written stay around the term that takes its place. */
function withMarks(term: readonly HeardWord[], first: string, last: string): TimedWord[] {
  const [before = ''] = /^[^\p{L}\p{N}]*/u.exec(first) ?? [];
  const [after = ''] = /[^\p{L}\p{N}]*$/u.exec(last) ?? [];
  return term.map(({ text, start, end }, index) => ({
    text: (index === 0 ? before : '') + text + (index === term.length - 1 ? after : ''),
    start,
    end,
    said: null,
  }));
}
