import { PITCH_SAMPLES, PitchMeter } from '../speakers/pitch.js';
import { SAMPLE_RATE } from '../wav/sample-rate.js';
import type { Utterance } from './utterances.js';
import { withoutHum } from './without-hum.js';

/**
 * The least part of an utterance that has a pitch. People who speak had two thirds and more, in noise as loud as
 * themselves mostly 0.3; wind and clicks at most 0.13. docs/speech/guards.md has figures.
 */
const LEAST = 0.2;

/**
 * Whether somebody's voice may be in an utterance. Gusts and clatter are as loud as speech but have no pitch, and an
 * engine makes words of them. Nor has whispering: it is not told from wind.
 * @param samples 16 kHz mono, whose clock is that of the utterance
 */
export function isVoiced(samples: Int16Array, { start, end }: Utterance): boolean {
  const said = samples.subarray(Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE));
  // A hum hides the pitch of a voice; without its lowest part a voice is worse to be told from hiss.
  return hasPitch(said) || hasPitch(withoutHum(said));
}

function hasPitch(samples: Int16Array): boolean {
  const meter = new PitchMeter();
  const places = Math.max(1, Math.floor(samples.length / PITCH_SAMPLES));
  let voiced = 0;
  for (let place = 0; place < places && voiced < LEAST * places; place += 1)
    if (meter.of(samples, place * PITCH_SAMPLES) !== null) voiced += 1;
  return voiced >= LEAST * places;
}
