import { expect, it } from 'vitest';
import { normalizePeak } from './normalize-peak.js';

it('normalizePeak scales a quiet signal so that its peak is half of full scale', () => {
  expect(normalizePeak(Int16Array.of(0, 100, -1_024, 512))).toEqual(Int16Array.of(0, 1_600, -16_384, 8_192));
});

it('normalizePeak leaves silence, loud signals and its input unchanged', () => {
  const quiet = Int16Array.of(0, 1_024);
  normalizePeak(quiet);
  expect(quiet).toEqual(Int16Array.of(0, 1_024));
  expect(normalizePeak(new Int16Array(3))).toEqual(new Int16Array(3));
  expect(normalizePeak(Int16Array.of(-32_768, 5))).toEqual(Int16Array.of(-32_768, 5));
});

it('normalizePeak applies a gain of at most 100', () => {
  expect(normalizePeak(Int16Array.of(1, -2))).toEqual(Int16Array.of(100, -200));
});
