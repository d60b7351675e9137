import { measureDecayRatio } from '../../spectrum/measure-decay-ratio.js';
import {
  SPECTRUM_BINS,
  HOP_SAMPLES,
  applySpectralGain,
  type GainFunction,
} from '../../spectrum/apply-spectral-gain.js';
import { SAMPLE_RATE } from '../../wav/pcm.js';

/**
 * Sound that dies away faster than this, in comparison to how it begins, is left alone: 0.8 and more without echo, and
 * around 0.7 with so little that taking it off costs words.
 */
const MAX_REVERBERANT_DECAY_RATIO = 0.65;
/** Windows by which an echo is late: about 50 ms. What is earlier belongs to the sound, to the engine as to people. */
const LATE_WINDOWS = Math.round((0.05 * SAMPLE_RATE) / HOP_SAMPLES);
/** Seconds after which an echo is 60 dB fainter: a room of usual size. */
const DECAY_SECONDS = 0.5;
/** What of the echo is left from one window to the next; its power falls by a million in the time above. */
const DECAY_PER_WINDOW = Math.exp((Math.log(1e-6) * HOP_SAMPLES) / SAMPLE_RATE / DECAY_SECONDS);
/** What of the power of earlier windows counts, so that single ones do not leave holes. */
const SMOOTHING = 0.6;
/** Nothing is made fainter than this. */
const MIN_GAIN = 0.3;
/** Of silence. */
const MIN_POWER = 1e-9;

/**
 * The samples (16 kHz mono) of a chunk with less of the echo of the room, when there is much: the engine's model was
 * made of speech near the microphone. Echo is taken for what was heard long enough before, dying away; it is taken off.
 */
export function dereverberate(samples: Int16Array): Int16Array {
  const fading = measureDecayRatio(samples);
  return fading === null || fading >= MAX_REVERBERANT_DECAY_RATIO
    ? samples
    : applySpectralGain(samples, lateReverberationGain());
}

function lateReverberationGain(): GainFunction {
  const echo = new Float64Array(SPECTRUM_BINS);
  const smooth = new Float64Array(SPECTRUM_BINS);
  const recent = Array.from({ length: LATE_WINDOWS }, () => new Float64Array(SPECTRUM_BINS));
  let window = 0;
  return (powers, gains) => {
    const place = recent[window % LATE_WINDOWS] ?? smooth;
    window += 1;
    for (let bin = 0; bin < SPECTRUM_BINS; bin += 1) {
      const power = powers[bin] ?? 0;
      const late = place[bin] ?? 0;
      smooth[bin] = SMOOTHING * (smooth[bin] ?? 0) + (1 - SMOOTHING) * power;
      place[bin] = smooth[bin] ?? 0;
      echo[bin] = DECAY_PER_WINDOW * (echo[bin] ?? 0) + (1 - DECAY_PER_WINDOW) * late;
      const own = 1 - (echo[bin] ?? 0) / (power + MIN_POWER);
      gains[bin] = Math.max(MIN_GAIN, Math.sqrt(Math.max(0, own)));
    }
  };
}
