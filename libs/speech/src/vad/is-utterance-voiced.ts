import { PITCH_WINDOW_SAMPLES, PitchEstimator } from '../diarization/pitch-estimator.js';
import type { Utterance } from './utterances.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/**
 * Minimum voiced share of an utterance: speech had two thirds and more, about 0.3 at an SNR of 0 dB; wind and clicks at most
 * 0.13. The measurements are in docs/speech/guards.md.
 */
const MIN_VOICED_SHARE = 0.2;

/**
 * Whether an utterance may contain a voice. Wind and clatter are as loud as speech but unvoiced, and engines turn them into
 * words. Whispering is unvoiced, too, and is rejected.
 * @param samples 16 kHz mono, of the whole chunk
 */
export function isUtteranceVoiced(samples: Int16Array, { start, end }: Utterance): boolean {
  const utterance = samples.subarray(Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE));
  // Hum masks the pitch; without low frequencies, however, some voices are harder to tell from hiss.
  return isMostlyPitched(utterance) || isMostlyPitched(highPassFilter(utterance));
}

function isMostlyPitched(samples: Int16Array): boolean {
  const estimator = new PitchEstimator();
  const windows = Math.max(1, Math.floor(samples.length / PITCH_WINDOW_SAMPLES));
  let voiced = 0;
  for (let index = 0; index < windows && voiced < MIN_VOICED_SHARE * windows; index += 1)
    if (estimator.estimateLog2(samples, index * PITCH_WINDOW_SAMPLES) !== null) voiced += 1;
  return voiced >= MIN_VOICED_SHARE * windows;
}

/** Removes mains hum, wind and rumble, and only the lowest part of a voice. */
const CUTOFF_HERTZ = 120;
const MAX_SAMPLE = 32_767;

/** Second-order Butterworth high-pass filter for 16 kHz mono. */
export function highPassFilter(samples: Int16Array): Int16Array {
  const warped = Math.tan((Math.PI * CUTOFF_HERTZ) / SAMPLE_RATE);
  const scale = 1 / (1 + Math.SQRT2 * warped + warped ** 2);
  const once = 2 * (warped ** 2 - 1) * scale;
  const twice = (1 - Math.SQRT2 * warped + warped ** 2) * scale;
  const high = new Int16Array(samples.length);
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    const sample = samples[at] ?? 0;
    const out = scale * (sample - 2 * in1 + in2) - once * out1 - twice * out2;
    in2 = in1;
    in1 = sample;
    out2 = out1;
    out1 = out;
    high[at] = Math.max(-MAX_SAMPLE, Math.min(MAX_SAMPLE, out));
  }
  return high;
}
