import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { mixture } from './mixture.mjs';
import { parseWav, RATE } from './wav.mjs';

const second = (value) => new Int16Array(RATE).fill(value);
const part = (speaker, value, pause) => ({ speaker, text: speaker, samples: second(value), pause });

async function soundOf(path) {
  return parseWav(await readFile(path)).samples;
}

describe('a mixture', () => {
  it('lays parts out in turn, and knows when each is heard', async () => {
    const { path, turns, duration } = await mixture('test', [part('a', 100, 0.5), part('b', 200, 0)]);
    expect(turns.map(({ start, end }) => [start, end])).toEqual([
      [0.3, 1.3],
      [1.8, 2.8],
    ]);
    const sound = await soundOf(path);
    expect(duration).toBe(sound.length / RATE);
    const at = (time) => sound[Math.round(time * RATE)];
    expect([at(0.1), at(0.5), at(1.5), at(2), at(3)]).toEqual([0, 100, 0, 200, 0]);
  });

  it('lets people talk over each other, some quieter', async () => {
    const parts = [part('a', 100, -0.4), { ...part('b', 200, 0), gain: 0.5 }];
    const { path, turns } = await mixture('test', parts);
    expect(turns[1].start).toBeCloseTo(0.9, 6);
    const sound = await soundOf(path);
    expect([sound[Math.round(0.5 * RATE)], sound[Math.round(1.1 * RATE)]]).toEqual([100, 200]);
  });

  it('clips what is too loud, and adds noise where asked', async () => {
    const loud = [part('a', 30_000, -1), part('b', 30_000, 0)];
    const sound = await soundOf((await mixture('test', loud)).path);
    expect(sound[RATE]).toBe(32_767);
    const noisy = await soundOf((await mixture('test', loud, { noise: 0.1 })).path);
    expect(Math.max(...noisy.subarray(0, 1000).map(Math.abs))).toBeGreaterThan(2_000);
  });
});
