import {
  DB_PER_LOG_UNIT,
  measureBandLogPowersOverTime,
  computeQuantileOfSorted,
  toSortedAscending,
} from './band-levels.js';

/** Level changes are measured over 80 ms; within less, reverberation hardly decays. */
const LAG_STEPS = 4;
/** Range below the loudest levels of a band; fainter ones are noise. */
const DYNAMIC_RANGE_DB = 25;
const LOUD_QUANTILE = 0.95;
const STEEP_QUANTILE = 0.9;
const MIN_CHANGES = 20;

/**
 * Ratio of the decay to the attack rate of speech. Reverberation slows the decay, but not the attack; noise affects both
 * alike.
 * @param samples 16 kHz mono
 * @returns about 0.9 for dry speech, about 0.5 in a reverberant room; null for too little speech
 */
export function measureDecayToAttackRatio(samples: Int16Array): number | null {
  const ratios = measureBandLogPowersOverTime(samples).flatMap((level) => measureBandDecayRatio(level) ?? []);
  return ratios.length > 0 ? computeQuantileOfSorted(toSortedAscending(ratios), 0.5) : null;
}

function measureBandDecayRatio(level: Float64Array): number | null {
  const audible =
    computeQuantileOfSorted(toSortedAscending(level), LOUD_QUANTILE) - DYNAMIC_RANGE_DB / DB_PER_LOG_UNIT;
  const [falls, rises]: [number[], number[]] = [[], []];
  for (let step = LAG_STEPS; step < level.length; step += 1) {
    const [before, now] = [level[step - LAG_STEPS] ?? 0, level[step] ?? 0];
    if (Math.max(before, now) < audible) continue;
    if (now < before) falls.push(before - now);
    else rises.push(now - before);
  }
  if (Math.min(falls.length, rises.length) < MIN_CHANGES) return null;
  const rise = computeQuantileOfSorted(toSortedAscending(rises), STEEP_QUANTILE);
  return rise > 0 ? computeQuantileOfSorted(toSortedAscending(falls), STEEP_QUANTILE) / rise : null;
}
