import { describe, expect, it } from 'vitest';
import { CooperativeYielder } from '@app/async';
import { MFCC_COEFFICIENT_COUNT } from './mfcc-extractor.js';
import { diarizeWindows, whitenAndFindChangesWithoutPause } from './diarize-windows.js';
import { GaussianClusterSampler } from './testing/gaussian-cluster-sampler.js';
import { WhitenedWindows } from './whitened-windows.js';
import type { AcousticWindow } from './acoustic-window.js';

const yielder = new CooperativeYielder(new AbortController().signal);
const COUNT = 240;
/** Windows of a turn. */
const TURN = 4;
const ONE = new Array<number>(MFCC_COEFFICIENT_COUNT).fill(0);
/** Hardly further from it than a step within a voice is long. */
const OTHER = ONE.map((_, index) => (index % 2 === 0 ? 2 : 0));

describe('estimateSpeakerChanges', () => {
  it('nearly all changes are found, with few false ones', async () => {
    const windows = inTurn([ONE, OTHER]);
    const changes = await whitenAndFindChangesWithoutPause(windows, new WhitenedWindows(windows), yielder);
    const right = [...changes].filter((index) => index % TURN === 0).length;
    expect(right / (COUNT / TURN - 1)).toBeGreaterThan(0.9);
    expect(right / changes.size).toBeGreaterThan(0.5);
  });

  it('the speakers stay separable', async () => {
    const turns = await diarizeWindows(inTurn([ONE, OTHER]), yielder);
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(2);
    expect(turns.length).toBeGreaterThan(0.9 * (COUNT / TURN));
  });

  it('a single voice has no changes', async () => {
    expect(await diarizeWindows(inTurn([ONE]), yielder)).toHaveLength(1);
  });

  it.each([1, 2, 3])('one voice and two voices are %d speakers if the caller says so', async (count) => {
    for (const voices of [[ONE], [ONE, OTHER]]) {
      const turns = await diarizeWindows(inTurn(voices), yielder, { min: count, max: count });
      expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(count);
    }
  });

  it('limits that hold anyway change nothing', async () => {
    const windows = inTurn([ONE, OTHER]);
    expect(await diarizeWindows(windows, yielder, { min: 1, max: 5 })).toEqual(
      await diarizeWindows(windows, yielder),
    );
  });
});

/** One window after the other without a pause; each voice scatters by one in every direction. */
function inTurn(voices: readonly (readonly number[])[]): AcousticWindow[] {
  const cloud = new GaussianClusterSampler(17);
  return Array.from({ length: COUNT }, (_, index) => {
    const middle = voices[Math.floor(index / TURN) % voices.length] ?? ONE;
    const [point] = cloud.sample(middle, 1);
    return windowAt(index / 2, point?.mean ?? new Float64Array(MFCC_COEFFICIENT_COUNT));
  });
}

function windowAt(start: number, mean: Float64Array): AcousticWindow {
  return { start, end: start + 0.5, frames: 25, voiced: 25, pitch: 7, mean };
}
