/**
 * Sounds of several people laid out on one clock: in turn, with hardly a pause, or over each other, in noise or not.
 *
 * @typedef {object} Part
 * @property {string} speaker
 * @property {string} text empty where it is not known
 * @property {Int16Array} samples 16 kHz mono
 * @property {number} pause seconds until the next part begins; below zero they overlap
 * @property {number} [gain] factor of its loudness, 1 when left out
 *
 * @typedef {{ speaker: string, text: string, start: number, end: number }} MixedTurn
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { cachedFiles, makersHash } from './cache.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { RATE, WavWriter } from './wav.mjs';

/** Seconds of silence before the first part and after the last. */
const MARGIN = 0.3;
const SEED = 5;
const LOUDEST = 32_767;

/**
 * @param {string} name first part of the file's name
 * @param {Part[]} parts not empty
 * @param {{ noise?: number }} [options] level of white noise over all of it: peak, 0 to 1; none when left out
 * @returns {Promise<{ path: string, turns: MixedTurn[], duration: number }>} a 16 kHz mono WAV file of the cache
 */
export async function mixture(name, parts, { noise = 0 } = {}) {
  const sounds = parts.map(({ samples, ...rest }) => ({ ...rest, samples: digest(samples) }));
  const from = { sounds, noise, makers: await makersHash() };
  const [path, sheet] = await cachedFiles(
    { name, from, extensions: ['wav', 'json'] },
    async ([wav, json]) => {
      const laidOut = layOut(parts);
      addNoise(laidOut.sound, noise);
      await writeSound(wav, laidOut.sound);
      const duration = laidOut.sound.length / RATE;
      await writeFile(json, JSON.stringify({ turns: laidOut.turns, duration }));
    },
  );
  return { path, ...JSON.parse(await readFile(sheet, 'utf8')) };
}

/** @param {Part[]} parts @returns {{ sound: Int32Array, turns: MixedTurn[] }} */
function layOut(parts) {
  let at = Math.round(MARGIN * RATE);
  const places = parts.map(({ samples, pause }) => {
    const begin = at;
    at = Math.max(begin, begin + samples.length + Math.round(pause * RATE));
    return { begin, end: begin + samples.length };
  });
  const length = Math.max(...places.map(({ end }) => end)) + Math.round(MARGIN * RATE);
  const sound = new Int32Array(length);
  for (const [index, { samples, gain = 1 }] of parts.entries()) {
    const { begin } = places[index];
    for (let i = 0; i < samples.length; i++) sound[begin + i] += Math.round(gain * samples[i]);
  }
  const turns = parts.map(({ speaker, text }, index) => {
    const { begin, end } = places[index];
    return { speaker, text, start: begin / RATE, end: end / RATE };
  });
  return { sound, turns };
}

/** @param {Int32Array} sound @param {number} level */
function addNoise(sound, level) {
  if (level === 0) return;
  const chance = new SeededRandom(SEED);
  for (let i = 0; i < sound.length; i++) sound[i] += Math.round(chance.between(-level, level) * LOUDEST);
}

/** @param {string} path @param {Int32Array} sound beyond 16 bits it is clipped */
async function writeSound(path, sound) {
  const out = await WavWriter.create(path);
  try {
    await out.write(Int16Array.from(sound, (value) => Math.max(-LOUDEST, Math.min(LOUDEST, value))));
  } finally {
    await out.close();
  }
}

/** @param {Int16Array} samples */
function digest(samples) {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return createHash('sha256').update(bytes).digest('hex');
}
