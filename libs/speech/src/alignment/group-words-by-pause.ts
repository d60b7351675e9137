import type { RecognizedWord } from '../engine/engine.js';
import type { AlignmentSegment } from './word-aligner.js';

/** A pause this long separates two segments. */
const MIN_PAUSE_SECONDS = 0.2;
/** Audio around the words, because estimated times may be slightly off. */
const PADDING_SECONDS = 0.25;

/** Splits the words of a chunk at pauses. Segments are padded, but do not overlap. @param duration of the chunk, seconds */
export function groupWordsByPause(words: readonly RecognizedWord[], duration: number): AlignmentSegment[] {
  const runs: RecognizedWord[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && word.start - before.end < MIN_PAUSE_SECONDS) run.push(word);
    else runs.push([word]);
  }
  return runs.map((run, index) => {
    const start = startOf(run);
    const end = endOf(run);
    const before = index === 0 ? -Infinity : endOf(runs[index - 1]);
    const after = index === runs.length - 1 ? Infinity : startOf(runs[index + 1]);
    return {
      start: Math.max(0, start - PADDING_SECONDS, (before + start) / 2),
      end: Math.min(duration, end + PADDING_SECONDS, (after + end) / 2),
      words: run.map(({ text }) => text),
    };
  });
}

function startOf(run: readonly RecognizedWord[] | undefined): number {
  return run?.[0]?.start ?? 0;
}

function endOf(run: readonly RecognizedWord[] | undefined): number {
  return run?.at(-1)?.end ?? 0;
}
