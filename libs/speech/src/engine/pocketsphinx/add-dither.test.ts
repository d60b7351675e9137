import { expect, it } from 'vitest';
import { addDither } from './add-dither.js';

it('addDither raises about a quarter of the samples by one, deterministically and without clipping', () => {
  const silence = new Int16Array(16_000);
  const noise = addDither(silence);
  expect(addDither(silence)).toEqual(noise);
  expect(new Set(noise)).toEqual(new Set([0, 1]));
  const raised = noise.reduce((sum, sample) => sum + sample, 0);
  expect(raised / noise.length).toBeCloseTo(0.25, 1);
  expect(silence.every((sample) => sample === 0)).toBe(true);
  expect(new Set(addDither(new Int16Array(100).fill(32_767)))).toEqual(new Set([32_767]));
});
