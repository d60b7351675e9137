import { PITCH_SAMPLES, PitchEstimator } from '../diarization/pitch-estimator.js';
import type { Utterance } from './utterances.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/**
 * The least part of an utterance that has a pitch. People who speak had two thirds and more, in noise as loud as
 * themselves mostly 0.3; wind and clicks at most 0.13. docs/speech/guards.md has figures.
 */
const MIN_VOICED_SHARE = 0.2;

/**
 * Whether somebody's voice may be in an utterance. Gusts and clatter are as loud as speech but have no pitch, and an
 * engine makes words of them. Nor has whispering: it is not told from wind.
 * @param samples 16 kHz mono, whose clock is that of the utterance
 */
export function isVoiced(samples: Int16Array, { start, end }: Utterance): boolean {
  const said = samples.subarray(Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE));
  // A hum hides the pitch of a voice; without its lowest part a voice is worse to be told from hiss.
  return isMostlyPitched(said) || isMostlyPitched(highPassFilter(said));
}

function isMostlyPitched(samples: Int16Array): boolean {
  const meter = new PitchEstimator();
  const places = Math.max(1, Math.floor(samples.length / PITCH_SAMPLES));
  let voiced = 0;
  for (let place = 0; place < places && voiced < MIN_VOICED_SHARE * places; place += 1)
    if (meter.estimate(samples, place * PITCH_SAMPLES) !== null) voiced += 1;
  return voiced >= MIN_VOICED_SHARE * places;
}

/** Most of mains hum, wind and rumble lies below; of a voice only the lowest part of what gives it its pitch. */
const CUTOFF_HERTZ = 120;
const MAX_SAMPLE = 32_767;

/** Sound (16 kHz mono) without its lowest part, by a Butterworth filter of the second order. */
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
