import {
  DB_PER_LOG_UNIT,
  LEVEL_FRAME_SAMPLES,
  measureBandLogPowersOverTime,
  computeQuantileOfSorted,
  toSortedAscending,
  LEVEL_STEP_SAMPLES,
  countBandLevelSteps,
} from './band-levels.js';

/** Noise between words. */
export interface NoiseEstimate {
  /**
   * Signal-to-noise ratio: median over the mel bands, because white noise masks high bands long before it reaches the level
   * of the voice. 60 and more without noise.
   */
  snrDb: number;
  /** dB of full scale (0 is a full-scale square wave). */
  levelDb: number;
}

/** Fainter noise is quantization noise of quiet speech; ffmpeg's denoiser accepts no lower level either. */
const MIN_NOISE_DB = -80;
/** Quantiles of the level that represent noise and speech. */
const NOISE_QUANTILE = 0.05;
const SPEECH_QUANTILE = 0.9;
const FULL_SCALE = 32_768;
/** Level of digital silence. */
const SILENCE_DB = -100;

/** @param samples 16 kHz mono, speech and pauses @returns null if the samples are too short */
export function estimateSnrAndNoiseLevel(samples: Int16Array): NoiseEstimate | null {
  if (countBandLevelSteps(samples) < 1) return null;
  return {
    snrDb: estimateSnrDbFromBandLogPowers(measureBandLogPowersOverTime(samples)),
    levelDb: estimateLevelDb(samples),
  };
}

/** Whether noise reduction is worthwhile; it degrades clean speech. @param cleanSnrDb SNR from which on audio is clean */
export function isNoisy({ snrDb, levelDb }: NoiseEstimate, cleanSnrDb: number): boolean {
  return snrDb < cleanSnrDb && levelDb >= MIN_NOISE_DB;
}

/** @param bands levels over time (natural logarithm of power) for each mel band */
export function estimateSnrDbFromBandLogPowers(bands: readonly Float64Array[]): number {
  const margins = bands.map((level) => {
    const levels = toSortedAscending(level);
    return computeQuantileOfSorted(levels, SPEECH_QUANTILE) - computeQuantileOfSorted(levels, NOISE_QUANTILE);
  });
  return DB_PER_LOG_UNIT * computeQuantileOfSorted(toSortedAscending(margins), 0.5);
}

function estimateLevelDb(samples: Int16Array): number {
  const powers = Array.from({ length: countBandLevelSteps(samples) }, (_, step) =>
    meanSquare(samples, step * LEVEL_STEP_SAMPLES),
  );
  return Math.max(
    SILENCE_DB,
    DB_PER_LOG_UNIT *
      Math.log(computeQuantileOfSorted(toSortedAscending(powers), NOISE_QUANTILE) / FULL_SCALE ** 2),
  );
}

function meanSquare(samples: Int16Array, start: number): number {
  let sum = 0;
  for (let at = start; at < start + LEVEL_FRAME_SAMPLES; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum / LEVEL_FRAME_SAMPLES;
}
