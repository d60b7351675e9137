import { expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../../vad/testing/synthetic-sound-builder.js';
import { dereverberate } from './dereverberate.js';

const RATE = 16_000;

/** Eight bursts of 0.3 s, each with 0.3 s of echo behind it. */
function inRoom(): Int16Array {
  const sound = new SyntheticSoundBuilder();
  for (let count = 0; count < 8; count += 1) sound.noise(0.3, 8_000).echo(0.3, 4_000, 0.6);
  return sound.samples();
}

/** Mean power of a stretch, seconds from the start of each burst but the first. */
function power(samples: Int16Array, from: number, to: number): number {
  let sum = 0;
  for (let burst = 1; burst < 8; burst += 1) {
    const start = burst * 0.6;
    for (const sample of samples.subarray((start + from) * RATE, (start + to) * RATE)) sum += sample ** 2;
  }
  return sum / (7 * (to - from) * RATE);
}

it('dereverberate reduces reverberation and preserves onsets', () => {
  const [before, after] = [inRoom(), dereverberate(inRoom())];
  expect(after).toHaveLength(before.length);
  expect(power(after, 0.4, 0.55) / power(before, 0.4, 0.55)).toBeLessThan(0.25);
  expect(power(after, 0, 0.04) / power(before, 0, 0.04)).toBeGreaterThan(0.9);
});

it('dereverberate leaves dry sound, noise and short audio unchanged', () => {
  const sound = new SyntheticSoundBuilder();
  for (let count = 0; count < 8; count += 1) sound.noise(0.3, 8_000).noise(0.3, 400);
  for (const samples of [
    sound.samples(),
    new SyntheticSoundBuilder().noise(3, 2_000).samples(),
    new Int16Array(300),
  ]) {
    expect(dereverberate(samples)).toBe(samples);
  }
});
