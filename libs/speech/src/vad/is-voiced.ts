import { PITCH_SAMPLES, PitchEstimator } from '../diarization/pitch-estimator.js';
import { SAMPLE_RATE } from '../wav/sample-rate.js';
import type { Utterance } from './utterances.js';
import { highPassFilter } from './high-pass-filter.js';

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
