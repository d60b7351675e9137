import { MEL_BAND_COUNT, MelFilterBank } from './mel-filter-bank.js';

/** 20 ms. */
export const LEVEL_STEP_SAMPLES = 320;
/** 25 ms. */
export const LEVEL_FRAME_SAMPLES = 400;
export const DB_PER_LOG_UNIT = 10 / Math.LN10;

/** 0 if the samples are too short. */
export function countBandLevelSteps(samples: Int16Array): number {
  return Math.max(0, Math.floor((samples.length - LEVEL_FRAME_SAMPLES) / LEVEL_STEP_SAMPLES));
}

/** Levels over time (natural logarithm of power) for each mel band, lowest band first. */
export function measureBandLogPowersOverTime(samples: Int16Array): Float64Array[] {
  const bands = new MelFilterBank();
  const steps = countBandLevelSteps(samples);
  const levels = Array.from({ length: MEL_BAND_COUNT }, () => new Float64Array(steps));
  for (let step = 0; step < steps; step += 1) {
    const powers = bands.logPowers(samples, step * LEVEL_STEP_SAMPLES);
    for (const [band, level] of levels.entries()) level[step] = powers[band] ?? 0;
  }
  return levels;
}

export function toSortedAscending(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** 0 for an empty array. */
export function computeQuantileOfSorted(ascending: Float64Array, share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? 0;
}
