import { MEL_BANDS, MelFilterBank } from './mel-filter-bank.js';

/** 20 ms. */
export const LEVEL_STEP_SAMPLES = 320;
/** 25 ms. */
export const LEVEL_FRAME_SAMPLES = 400;
/** What a step of the natural logarithm of power is in dB. */
export const DB_PER_LOG_UNIT = 10 / Math.LN10;

/** How many steps a sound (16 kHz mono) has; 0 of one that is too short for any. */
export function countSteps(samples: Int16Array): number {
  return Math.max(0, Math.floor((samples.length - LEVEL_FRAME_SAMPLES) / LEVEL_STEP_SAMPLES));
}

/**
 * How loud a sound is over time, a list of its steps for each band of hearing, the lowest first; natural logarithms of
 * power.
 */
export function measureBandLevels(samples: Int16Array): Float64Array[] {
  const bands = new MelFilterBank();
  const steps = countSteps(samples);
  const levels = Array.from({ length: MEL_BANDS }, () => new Float64Array(steps));
  for (let step = 0; step < steps; step += 1) {
    const moment = bands.logPowers(samples, step * LEVEL_STEP_SAMPLES);
    for (const [band, level] of levels.entries()) level[step] = moment[band] ?? 0;
  }
  return levels;
}

export function sortAscending(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** 0 of no values. */
export function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? 0;
}
