import { expect, it } from 'vitest';
import { noiseOf } from './noise.js';

const SECONDS = 4;
const RATE = 16_000;

/** White noise that is loud in every other half second. */
function bursts(loud: number, faint: number): Int16Array {
  let state = 7;
  return Int16Array.from({ length: SECONDS * RATE }, (_, index) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state / 2 ** 31) * (Math.floor(index / (RATE / 2)) % 2 === 0 ? loud : faint);
  });
}

it.each([
  [8_000, 80, 40],
  [8_000, 800, 20],
  [800, 80, 20],
])('tells by how many dB %i stands above %i, and how loud that is', (loud, faint, margin) => {
  const noise = noiseOf(bursts(loud, faint));
  expect(Math.abs((noise?.margin ?? 0) - margin)).toBeLessThan(4);
  // White noise has a third of the power of its highest peaks.
  const level = 10 * Math.log10((faint / 32_768) ** 2 / 3);
  expect(Math.abs((noise?.level ?? 0) - level)).toBeLessThan(1.5);
});

it('finds nothing that stands above steady noise, and no noise in digital silence', () => {
  expect(noiseOf(bursts(1_000, 1_000))?.margin).toBeLessThan(8);
  expect(noiseOf(bursts(8_000, 0))?.margin).toBeGreaterThan(50);
  expect(noiseOf(new Int16Array(RATE))).toEqual({ margin: 0, level: -100 });
});

it('tells nothing of next to no sound', () => {
  expect(noiseOf(new Int16Array(500))).toBeNull();
});
