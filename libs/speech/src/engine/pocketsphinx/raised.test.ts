import { expect, it } from 'vitest';
import { raised } from './raised.js';

it('makes the loudest sample of a quiet sound as loud as half of the scale', () => {
  expect(raised(Int16Array.of(0, 100, -1_024, 512))).toEqual(Int16Array.of(0, 1_600, -16_384, 8_192));
});

it('leaves silence, what is loud, and the samples that it was given', () => {
  const quiet = Int16Array.of(0, 1_024);
  raised(quiet);
  expect(quiet).toEqual(Int16Array.of(0, 1_024));
  expect(raised(new Int16Array(3))).toEqual(new Int16Array(3));
  expect(raised(Int16Array.of(-32_768, 5))).toEqual(Int16Array.of(-32_768, 5));
});

it('raises the faintest sounds a hundred times at most', () => {
  expect(raised(Int16Array.of(1, -2))).toEqual(Int16Array.of(100, -200));
});
