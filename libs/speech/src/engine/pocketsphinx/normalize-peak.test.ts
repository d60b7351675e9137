import { expect, it } from 'vitest';
import { amplifyQuietAudio } from './normalize-peak.js';

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
