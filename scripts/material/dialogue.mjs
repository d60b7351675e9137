/**
 * Dialogues of any length, from chance: who speaks, what, and when is known to the sample.
 *
 * @typedef {{ seconds: number, voices: number, seed: number }} DialogueRequest
 * @typedef {import('./spoken.mjs').Turn} Turn
 * @typedef {{ path: string, turns: Turn[], duration: number }} Dialogue a 16 kHz mono WAV file; seconds
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cachedFiles, makersHash } from './cache.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { Conversation } from './conversation.mjs';
import { fliteVersion, PEOPLE } from './flite.mjs';
import { writeTurn } from './spoken.mjs';
import { RATE, WavWriter } from './wav.mjs';

const SHORTEST = 3;
const LONGEST = 4 * 3600;
/** Seconds of silence before the first turn. */
const LEAD = 0.3;
/** Seconds of silence between turns. */
const PAUSE = { least: 0.35, most: 1.1 };

/**
 * A dialogue that lasts exactly as long as asked (silence fills the end), from the cache when it was made before.
 * @param {DialogueRequest} request seconds from 3 to 14400; 1 to 4 voices; seed an integer
 * @returns {Promise<Dialogue>}
 * @throws {RangeError} for a request out of these bounds
 * @throws {Error} when flite is missing
 */
export async function dialogue({ seconds, voices, seed }) {
  const request = checked({ seconds, voices, seed });
  const from = { request, makers: await makersHash(), flite: await fliteVersion() };
  const files = { name: `dialogue-${seconds}s-${voices}v`, from, extensions: ['wav', 'json'] };
  const [path, sheet] = await cachedFiles(files, async ([wav, json]) => {
    await writeFile(json, JSON.stringify(await writeDialogue(wav, request)));
  });
  const { turns, duration } = JSON.parse(await readFile(sheet, 'utf8'));
  return { path, turns, duration };
}

/**
 * @param {string} path of the WAV file to write
 * @param {DialogueRequest} request
 * @returns {Promise<{ turns: Turn[], duration: number }>}
 */
async function writeDialogue(path, { seconds, voices, seed }) {
  const chance = new SeededRandom(seed);
  const conversation = new Conversation(PEOPLE.slice(0, voices), chance);
  const length = Math.round(seconds * RATE) / RATE;
  const out = await WavWriter.create(path);
  /** @type {Turn[]} */
  const turns = [];
  try {
    await out.writeSilence(LEAD);
    for (;;) {
      const pause = chance.between(PAUSE.least, PAUSE.most);
      const room = length - out.seconds - PAUSE.least;
      const said = await conversation.next(room);
      if (!said) break;
      turns.push(await writeTurn(out, said.line, said.samples));
      await out.writeSilence(Math.min(pause, length - out.seconds));
    }
    await out.writeSilence(length - out.seconds);
  } finally {
    await out.close();
  }
  return { turns, duration: out.seconds };
}

/** @param {DialogueRequest} request */
function checked(request) {
  const { seconds, voices, seed } = request;
  if (!(seconds >= SHORTEST && seconds <= LONGEST)) {
    throw new RangeError(`A dialogue lasts ${SHORTEST} to ${LONGEST} seconds, not ${seconds}.`);
  }
  if (!Number.isInteger(voices) || voices < 1 || voices > PEOPLE.length) {
    throw new RangeError(`A dialogue has 1 to ${PEOPLE.length} voices, not ${voices}.`);
  }
  if (!Number.isInteger(seed)) throw new RangeError(`A seed is an integer, not ${seed}.`);
  return request;
}
