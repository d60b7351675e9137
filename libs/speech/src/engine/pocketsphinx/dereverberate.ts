import { measureDecayToAttackRatio } from '../../spectrum/measure-decay-to-attack-ratio.js';
import {
  SPECTRUM_BIN_COUNT,
  HOP_SAMPLES,
  applySpectralGain,
  type GainFunction,
} from '../../spectrum/apply-spectral-gain.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';

/**
 * Above this the samples are unchanged: 0.8 and more is dry speech; around 0.7 dereverberation costs more words than it
 * gains.
 */
const MAX_REVERBERANT_DECAY_RATIO = 0.65;
/** Only reverberation later than 50 ms is reduced; earlier reflections do not impair recognition. */
const LATE_WINDOWS = Math.round((0.05 * SAMPLE_RATE) / HOP_SAMPLES);
/** Assumed reverberation time (RT60), that of an average room. */
const DECAY_SECONDS = 0.5;
const DECAY_PER_WINDOW = Math.exp((Math.log(1e-6) * HOP_SAMPLES) / SAMPLE_RATE / DECAY_SECONDS);
/** Smoothing of power across windows, against artifacts. */
const SMOOTHING = 0.6;
const MIN_GAIN = 0.3;
const MIN_POWER = 1e-9;

/**
 * Spectral subtraction, because the acoustic model was trained on close microphones. Returns dry audio unchanged.
 * @param samples 16 kHz mono
 */
export function dereverberate(samples: Int16Array): Int16Array {
  const decayRatio = measureDecayToAttackRatio(samples);
  return decayRatio === null || decayRatio >= MAX_REVERBERANT_DECAY_RATIO
    ? samples
    : applySpectralGain(samples, lateReverberationGain());
}

function lateReverberationGain(): GainFunction {
  const echo = new Float64Array(SPECTRUM_BIN_COUNT);
  const smooth = new Float64Array(SPECTRUM_BIN_COUNT);
  const recent = Array.from({ length: LATE_WINDOWS }, () => new Float64Array(SPECTRUM_BIN_COUNT));
  let window = 0;
  return (powers, gains) => {
    const delayed = recent[window % LATE_WINDOWS] ?? smooth;
    window += 1;
    for (let bin = 0; bin < SPECTRUM_BIN_COUNT; bin += 1) {
      const power = powers[bin] ?? 0;
      const late = delayed[bin] ?? 0;
      smooth[bin] = SMOOTHING * (smooth[bin] ?? 0) + (1 - SMOOTHING) * power;
      delayed[bin] = smooth[bin] ?? 0;
      echo[bin] = DECAY_PER_WINDOW * (echo[bin] ?? 0) + (1 - DECAY_PER_WINDOW) * late;
      const directShare = 1 - (echo[bin] ?? 0) / (power + MIN_POWER);
      gains[bin] = Math.max(MIN_GAIN, Math.sqrt(Math.max(0, directShare)));
    }
  };
}
