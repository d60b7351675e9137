import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { mixRecording } from './mixture.mjs';
import { parseWav, RATE } from './wav.mjs';

const makeSecond = (value) => new Int16Array(RATE).fill(value);
const makePart = (speaker, value, pause) => ({ speaker, text: speaker, samples: makeSecond(value), pause });

async function readSamples(path) {
  return parseWav(await readFile(path)).samples;
}

describe('mixRecording', () => {
  it('places parts one after the other and returns their times', async () => {
    const { path, turns, duration } = await mixRecording('test', [
      makePart('a', 100, 0.5),
      makePart('b', 200, 0),
    ]);
    expect(turns.map(({ start, end }) => [start, end])).toEqual([
      [0.3, 1.3],
      [1.8, 2.8],
    ]);
    const sound = await readSamples(path);
    expect(duration).toBe(sound.length / RATE);
    const sampleAt = (time) => sound[Math.round(time * RATE)];
    expect([sampleAt(0.1), sampleAt(0.5), sampleAt(1.5), sampleAt(2), sampleAt(3)]).toEqual([
      0, 100, 0, 200, 0,
    ]);
  });

  it('overlaps parts and applies their gains', async () => {
    const parts = [makePart('a', 100, -0.4), { ...makePart('b', 200, 0), gain: 0.5 }];
    const { path, turns } = await mixRecording('test', parts);
    expect(turns[1].start).toBeCloseTo(0.9, 6);
    const sound = await readSamples(path);
    expect([sound[Math.round(0.5 * RATE)], sound[Math.round(1.1 * RATE)]]).toEqual([100, 200]);
  });

  it('clips sums over full scale and adds the requested noise', async () => {
    const loud = [makePart('a', 30_000, -1), makePart('b', 30_000, 0)];
    const sound = await readSamples((await mixRecording('test', loud)).path);
    expect(sound[RATE]).toBe(32_767);
    const noisy = await readSamples((await mixRecording('test', loud, { noise: 0.1 })).path);
    expect(Math.max(...noisy.subarray(0, 1000).map(Math.abs))).toBeGreaterThan(2_000);
  });
});
