/**
 * @typedef {{ seconds: number, voices: number, seed: number }} DialogueRequest
 * @typedef {import('./spoken.mjs').Turn} Turn
 * @typedef {{ path: string, turns: Turn[], duration: number }} Dialogue a 16 kHz mono WAV file; seconds
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cacheFiles, hashGenerators } from './cache.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { Conversation } from './conversation.mjs';
import { readFliteVersion, SPEAKERS } from './flite.mjs';
import { writeTurn } from './spoken.mjs';
import { RATE, WavWriter } from './wav.mjs';

const MIN_SECONDS = 3;
const MAX_SECONDS = 4 * 3600;
/** Silence before the first turn. */
const LEAD_SECONDS = 0.3;
/** Silence between turns. */
const PAUSE_SECONDS = { min: 0.35, max: 1.1 };

/**
 * Makes a random dialogue of exactly the requested length (silence fills the end), or returns it from the cache.
 * @param {DialogueRequest} request seconds from 3 to 14400; 1 to 4 voices; seed an integer
 * @returns {Promise<Dialogue>}
 * @throws {RangeError} for other values
 * @throws {Error} when flite is missing
 */
export async function makeDialogue({ seconds, voices, seed }) {
  const request = validateRequest({ seconds, voices, seed });
  const from = { request, generators: await hashGenerators(), flite: await readFliteVersion() };
  const files = { name: `dialogue-${seconds}s-${voices}v`, from, extensions: ['wav', 'json'] };
  const [path, metadataPath] = await cacheFiles(files, async ([wav, json]) => {
    await writeFile(json, JSON.stringify(await writeDialogue(wav, request)));
  });
  const { turns, duration } = JSON.parse(await readFile(metadataPath, 'utf8'));
  return { path, turns, duration };
}

/**
 * @param {string} path of the WAV file to write
 * @param {DialogueRequest} request
 * @returns {Promise<{ turns: Turn[], duration: number }>}
 */
async function writeDialogue(path, { seconds, voices, seed }) {
  const random = new SeededRandom(seed);
  const conversation = new Conversation(SPEAKERS.slice(0, voices), random);
  const length = Math.round(seconds * RATE) / RATE;
  const out = await WavWriter.create(path);
  /** @type {Turn[]} */
  const turns = [];
  try {
    await out.writeSilence(LEAD_SECONDS);
    for (;;) {
      const pause = random.between(PAUSE_SECONDS.min, PAUSE_SECONDS.max);
      const maxSeconds = length - out.seconds - PAUSE_SECONDS.min;
      const turn = await conversation.synthesizeTurn(maxSeconds);
      if (!turn) break;
      turns.push(await writeTurn(out, turn.line, turn.samples));
      await out.writeSilence(Math.min(pause, length - out.seconds));
    }
    await out.writeSilence(length - out.seconds);
  } finally {
    await out.close();
  }
  return { turns, duration: out.seconds };
}

/** @param {DialogueRequest} request */
function validateRequest(request) {
  const { seconds, voices, seed } = request;
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) {
    throw new RangeError(`A dialogue lasts ${MIN_SECONDS} to ${MAX_SECONDS} seconds, not ${seconds}.`);
  }
  if (!Number.isInteger(voices) || voices < 1 || voices > SPEAKERS.length) {
    throw new RangeError(`A dialogue has 1 to ${SPEAKERS.length} voices, not ${voices}.`);
  }
  if (!Number.isInteger(seed)) throw new RangeError(`A seed is an integer, not ${seed}.`);
  return request;
}
