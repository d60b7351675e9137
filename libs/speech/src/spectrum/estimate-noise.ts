import {
  DB_PER_LOG_UNIT,
  LEVEL_FRAME_SAMPLES,
  measureBandLevels,
  quantile,
  sortAscending,
  LEVEL_STEP_SAMPLES,
  countSteps,
} from './band-levels.js';

/** The noise between words. */
export interface NoiseEstimate {
  /**
   * How far speech stands above it, in dB: the median over the bands of hearing. White noise covers the upper bands long
   * before it is as loud as the voice, which the loudness of the whole would not tell. 60 and more without noise.
   */
  snrDb: number;
  /** How loud it is, in dB of full scale (0 is the loudest square wave). */
  levelDb: number;
}

/** dB of full scale. What is fainter is no noise, but the rounding of quiet speech; `denoised` knows none below it either. */
const MIN_NOISE_DB = -80;
/** So much of the sound is fainter than the noise between words, and so much is fainter than loud speech. */
const NOISE_QUANTILE = 0.05;
const SPEECH_QUANTILE = 0.9;
const FULL_SCALE = 32_768;
/** Of digital silence. */
const SILENCE_DB = -100;

/**
 * @param samples 16 kHz mono, speech and pauses
 * @returns null of a sound too short to tell
 */
export function estimateNoise(samples: Int16Array): NoiseEstimate | null {
  if (countSteps(samples) < 1) return null;
  return { snrDb: estimateSnrDb(measureBandLevels(samples)), levelDb: estimateLevelDb(samples) };
}

/**
 * Whether there is so much noise that it is worth taking out: of clear speech that would take more than noise.
 * @param cleanSnrDb dB; what stands further above its noise is clear
 */
export function isNoisy({ snrDb: margin, levelDb: level }: NoiseEstimate, cleanSnrDb: number): boolean {
  return margin < cleanSnrDb && level >= MIN_NOISE_DB;
}

/** The margin of a sound by its levels over time, a list for each band of hearing (natural logarithms of power). */
export function estimateSnrDb(bands: readonly Float64Array[]): number {
  const margins = bands.map((level) => {
    const levels = sortAscending(level);
    return quantile(levels, SPEECH_QUANTILE) - quantile(levels, NOISE_QUANTILE);
  });
  return DB_PER_LOG_UNIT * quantile(sortAscending(margins), 0.5);
}

function estimateLevelDb(samples: Int16Array): number {
  const powers = Array.from({ length: countSteps(samples) }, (_, step) =>
    meanSquare(samples, step * LEVEL_STEP_SAMPLES),
  );
  return Math.max(
    SILENCE_DB,
    DB_PER_LOG_UNIT * Math.log(quantile(sortAscending(powers), NOISE_QUANTILE) / FULL_SCALE ** 2),
  );
}

/** The mean square of a frame. */
function meanSquare(samples: Int16Array, start: number): number {
  let sum = 0;
  for (let at = start; at < start + LEVEL_FRAME_SAMPLES; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum / LEVEL_FRAME_SAMPLES;
}
