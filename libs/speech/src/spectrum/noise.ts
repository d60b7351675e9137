import { BANDS, MelBands } from './mel-bands.js';

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

/** 20 ms. */
const STEP_SAMPLES = 320;
/** 25 ms. */
const FRAME_SAMPLES = 400;
/** So much of the sound is fainter than the noise between words, and so much is fainter than loud speech. */
const FAINT = 0.05;
const LOUD = 0.9;
const DECIBELS = 10 / Math.LN10;
const FULL_SCALE = 32_768;
/** Of digital silence. */
const LOWEST_LEVEL = -100;

/**
 * @param samples 16 kHz mono, speech and pauses
 * @returns null of a sound too short to tell
 */
export function noiseOf(samples: Int16Array): Noise | null {
  const steps = Math.floor((samples.length - FRAME_SAMPLES) / STEP_SAMPLES);
  if (steps < 1) return null;
  return { margin: marginOf(samples, steps), level: levelOf(samples, steps) };
}

function marginOf(samples: Int16Array, steps: number): number {
  const bands = new MelBands();
  const moments = Array.from({ length: steps }, (_, step) => bands.of(samples, step * STEP_SAMPLES).slice());
  const margins = Array.from({ length: BANDS }, (_, band) => {
    const levels = sorted(moments.map((moment) => moment[band] ?? 0));
    return quantile(levels, LOUD) - quantile(levels, FAINT);
  });
  return DECIBELS * quantile(sorted(margins), 0.5);
}

function levelOf(samples: Int16Array, steps: number): number {
  const powers = Array.from({ length: steps }, (_, step) => powerOf(samples, step * STEP_SAMPLES));
  return Math.max(LOWEST_LEVEL, DECIBELS * Math.log(quantile(sorted(powers), FAINT) / FULL_SCALE ** 2));
}

/** The mean square of a frame. */
function powerOf(samples: Int16Array, start: number): number {
  let sum = 0;
  for (let at = start; at < start + FRAME_SAMPLES; at += 1) sum += (samples[at] ?? 0) ** 2;
  return sum / FRAME_SAMPLES;
}

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

function quantile(ascending: Float64Array, share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? 0;
}
