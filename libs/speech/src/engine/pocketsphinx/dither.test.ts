import { expect, it } from 'vitest';
import { dithered } from './dither.js';

it('raises about a quarter of the samples by one, the same ones each time, and none beyond the scale', () => {
  const silence = new Int16Array(16_000);
  const noise = dithered(silence);
  expect(dithered(silence)).toEqual(noise);
  expect(new Set(noise)).toEqual(new Set([0, 1]));
  const raised = noise.reduce((sum, sample) => sum + sample, 0);
  expect(raised / noise.length).toBeCloseTo(0.25, 1);
  expect(silence.every((sample) => sample === 0)).toBe(true);
  expect(new Set(dithered(new Int16Array(100).fill(32_767)))).toEqual(new Set([32_767]));
});
