import { DB_PER_LOG_UNIT, measureBandLevels, quantile, sortAscending } from './band-levels.js';

/** Changes are looked at over so many steps: 80 ms. Within less even an echo has hardly begun to fade. */
const LAG_STEPS = 4;
/** dB below the loudest moments of a band; what is fainter tells of noise. */
const DYNAMIC_RANGE_DB = 25;
const LOUD_QUANTILE = 0.95;
const STEEP_QUANTILE = 0.9;
/** Of fewer changes either way nothing can be said. */
const MIN_CHANGES = 20;

/**
 * How fast sound dies away in comparison to how fast it begins: in a room the echo of what was said goes on, and hides
 * the end of it, but never its beginning. Noise hides both alike.
 *
 * @param samples 16 kHz mono
 * @returns around 0.9 of speech without echo, around 0.5 in an echoing room; null of too little speech to tell
 */
export function measureDecayRatio(samples: Int16Array): number | null {
  const ratios = measureBandLevels(samples).flatMap((level) => measureBandDecayRatio(level) ?? []);
  return ratios.length > 0 ? quantile(sortAscending(ratios), 0.5) : null;
}

/** Of one band: its steep falls to its steep rises. */
function measureBandDecayRatio(level: Float64Array): number | null {
  const audible = quantile(sortAscending(level), LOUD_QUANTILE) - DYNAMIC_RANGE_DB / DB_PER_LOG_UNIT;
  const [falls, rises]: [number[], number[]] = [[], []];
  for (let step = LAG_STEPS; step < level.length; step += 1) {
    const [before, now] = [level[step - LAG_STEPS] ?? 0, level[step] ?? 0];
    if (Math.max(before, now) < audible) continue;
    if (now < before) falls.push(before - now);
    else rises.push(now - before);
  }
  if (Math.min(falls.length, rises.length) < MIN_CHANGES) return null;
  const rise = quantile(sortAscending(rises), STEEP_QUANTILE);
  return rise > 0 ? quantile(sortAscending(falls), STEEP_QUANTILE) / rise : null;
}
