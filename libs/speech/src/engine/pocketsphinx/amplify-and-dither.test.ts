import { expect, it } from 'vitest';
import { addDither, amplifyQuietAudio } from './amplify-and-dither.js';

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

it('amplifyQuietAudio scales a quiet signal so that its peak is half of full scale', () => {
  expect(amplifyQuietAudio(Int16Array.of(0, 100, -1_024, 512))).toEqual(
    Int16Array.of(0, 1_600, -16_384, 8_192),
  );
});

it('amplifyQuietAudio leaves silence, loud signals and its input unchanged', () => {
  const quiet = Int16Array.of(0, 1_024);
  amplifyQuietAudio(quiet);
  expect(quiet).toEqual(Int16Array.of(0, 1_024));
  expect(amplifyQuietAudio(new Int16Array(3))).toEqual(new Int16Array(3));
  expect(amplifyQuietAudio(Int16Array.of(-32_768, 5))).toEqual(Int16Array.of(-32_768, 5));
});

it('amplifyQuietAudio applies a gain of at most 100', () => {
  expect(amplifyQuietAudio(Int16Array.of(1, -2))).toEqual(Int16Array.of(100, -200));
});
