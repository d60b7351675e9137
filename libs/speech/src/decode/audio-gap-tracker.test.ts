import { describe, expect, it } from 'vitest';
import { AudioGapTracker } from './audio-gap-tracker.js';

const RATE = 16_000;

/** Seconds of the gaps before blocks of a second that start at these times. */
function findGaps(...starts: number[]): number[] {
  const tracker = new AudioGapTracker();
  return starts.map((start, index) => {
    const next = starts[index + 1];
    const nextStart = next === undefined ? null : next * RATE;
    return tracker.findGapBefore({ start: start * RATE, length: RATE, nextStart }) / RATE;
  });
}

describe('AudioGapTracker', () => {
  it.each([
    ['audio without a gap', [0, 1, 2], [0, 0, 0]],
    ['a late start, however short', [0.02, 1.02], [0.02, 0]],
    ['a gap', [0, 5, 6], [0, 4, 0]],
    ['a gap before the last block', [0, 5], [0, 4]],
    ['jitter', [0, 1.05, 2.05, 3], [0, 0, 0, 0]],
    ['jitter that adds up to a gap', [0, 1.06, 2.12], [0, 0, 0.12]],
    ['a clock that restarts, and a gap after it', [0, 1, 0, 1, 5], [0, 0, 0, 0, 3]],
    ['an absurd start, an absurd jump, and a gap after it', [9_000, 9_001, 99_000, 99_003], [0, 0, 0, 2]],
    ['one wrong time', [0, 1, 9, 3, 4], [0, 0, 0, 0, 0]],
    [
      'one wrong time, before which none is given, and a gap after it',
      [0, 3, 3, 3, 4, 9],
      [0, 0, 0, 0, 0, 4],
    ],
    ['one wrong time, before which none is given until the end', [0, 9, 9, 9], [0, 0, 0, 0]],
    ['overlap', [0, 0.95, 1.95], [0, 0, 0]],
  ])('%s', (_, starts, gaps) => {
    expect(findGaps(...starts).map((gap) => Number(gap.toFixed(3)))).toEqual(gaps);
  });
});
