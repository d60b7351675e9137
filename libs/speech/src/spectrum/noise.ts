import { DECIBELS, FRAME_SAMPLES, levelsOf, quantile, sorted, STEP_SAMPLES, stepsIn } from './moments.js';

/** The noise between words. */
export interface Noise {
  /**
   * How far speech stands above it, in dB: the median over the bands of hearing. White noise covers the upper bands long
   * before it is as loud as the voice, which the loudness of the whole would not tell. 60 and more without noise.
   */
  margin: number;
  /** How loud it is, in dB of full scale (0 is the loudest square wave). */
  level: number;
}

/** dB of full scale. What is fainter is no noise, but the rounding of quiet speech; `denoised` knows none below it either. */
const LOWEST_NOISE = -80;
/** So much of the sound is fainter than the noise between words, and so much is fainter than loud speech. */
const FAINT = 0.05;
const LOUD = 0.9;
const FULL_SCALE = 32_768;
/** Of digital silence. */
const LOWEST_LEVEL = -100;

/**
 * @param samples 16 kHz mono, speech and pauses
 * @returns null of a sound too short to tell
 */
export function noiseOf(samples: Int16Array): Noise | null {
  if (stepsIn(samples) < 1) return null;
  return { margin: marginOf(levelsOf(samples)), level: levelOf(samples) };
}

/**
 * Whether there is so much noise that it is worth taking out: of clear speech that would take more than noise.
 * @param clear dB; what stands further above its noise is clear
 */
export function isNoisy({ margin, level }: Noise, clear: number): boolean {
  return margin < clear && level >= LOWEST_NOISE;
}

/** The margin of a sound by its levels over time, a list for each band of hearing (natural logarithms of power). */
export function marginOf(bands: readonly Float64Array[]): number {
  const margins = bands.map((level) => {
    const levels = sorted(level);
    return quantile(levels, LOUD) - quantile(levels, FAINT);
  });
  return DECIBELS * quantile(sorted(margins), 0.5);
}

function levelOf(samples: Int16Array): number {
  const powers = Array.from({ length: stepsIn(samples) }, (_, step) => powerOf(samples, step * STEP_SAMPLES));
  return Math.max(LOWEST_LEVEL, DECIBELS * Math.log(quantile(sorted(powers), FAINT) / FULL_SCALE ** 2));
}

/** The mean square of a frame. */
function powerOf(samples: Int16Array, start: number): number {
  let sum = 0;
  for (let at = start; at < start + FRAME_SAMPLES; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum / FRAME_SAMPLES;
}
