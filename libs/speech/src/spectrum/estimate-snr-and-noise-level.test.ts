import { expect, it } from 'vitest';
import { estimateSnrAndNoiseLevel } from './estimate-snr-and-noise-level.js';

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
])(
  'estimateSnrAndNoiseLevel measures the ratio of %i to %i in dB, and the noise level',
  (loud, faint, margin) => {
    const noise = estimateSnrAndNoiseLevel(bursts(loud, faint));
    expect(Math.abs((noise?.snrDb ?? 0) - margin)).toBeLessThan(4);
    // White noise has a third of the power of its highest peaks.
    const level = 10 * Math.log10((faint / 32_768) ** 2 / 3);
    expect(Math.abs((noise?.levelDb ?? 0) - level)).toBeLessThan(1.5);
  },
);

it('estimateSnrAndNoiseLevel finds no speech above steady noise and no noise in digital silence', () => {
  expect(estimateSnrAndNoiseLevel(bursts(1_000, 1_000))?.snrDb).toBeLessThan(8);
  expect(estimateSnrAndNoiseLevel(bursts(8_000, 0))?.snrDb).toBeGreaterThan(50);
  expect(estimateSnrAndNoiseLevel(new Int16Array(RATE))).toEqual({ snrDb: 0, levelDb: -100 });
});

it('estimateSnrAndNoiseLevel returns null for very short audio', () => {
  expect(estimateSnrAndNoiseLevel(new Int16Array(500))).toBeNull();
});
