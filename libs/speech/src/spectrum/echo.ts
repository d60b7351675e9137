import { DECIBELS, levelsOf, quantile, sorted } from './moments.js';

/** Changes are looked at over so many steps: 80 ms. Within less even an echo has hardly begun to fade. */
const LAG = 4;
/** dB below the loudest moments of a band; what is fainter tells of noise. */
const RANGE = 25;
const LOUDEST = 0.95;
const STEEP = 0.9;
/** Of fewer changes either way nothing can be said. */
const FEWEST = 20;

/**
 * How fast sound dies away in comparison to how fast it begins: in a room the echo of what was said goes on, and hides
 * the end of it, but never its beginning. Noise hides both alike.
 *
 * @param samples 16 kHz mono
 * @returns around 0.9 of speech without echo, around 0.5 in an echoing room; null of too little speech to tell
 */
export function fadingOf(samples: Int16Array): number | null {
  const ratios = levelsOf(samples).flatMap((level) => ratioOf(level) ?? []);
  return ratios.length > 0 ? quantile(sorted(ratios), 0.5) : null;
}

/** Of one band: its steep falls to its steep rises. */
function ratioOf(level: Float64Array): number | null {
  const audible = quantile(sorted(level), LOUDEST) - RANGE / DECIBELS;
  const [falls, rises]: [number[], number[]] = [[], []];
  for (let step = LAG; step < level.length; step += 1) {
    const [before, now] = [level[step - LAG] ?? 0, level[step] ?? 0];
    if (Math.max(before, now) < audible) continue;
    if (now < before) falls.push(before - now);
    else rises.push(now - before);
  }
  if (Math.min(falls.length, rises.length) < FEWEST) return null;
  const rise = quantile(sorted(rises), STEEP);
  return rise > 0 ? quantile(sorted(falls), STEEP) / rise : null;
}
