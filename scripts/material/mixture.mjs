/**
 * @typedef {object} Part
 * @property {string} speaker
 * @property {string} text empty if unknown
 * @property {Int16Array} samples 16 kHz mono
 * @property {number} pause seconds until the next part begins; negative if they overlap
 * @property {number} [gain] 1 by default
 *
 * @typedef {{ speaker: string, text: string, start: number, end: number }} MixedTurn
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { cacheFiles, hashGenerators } from './cache.mjs';
import { SeededRandom } from './seeded-random.mjs';
import { RATE, WavWriter } from './wav.mjs';

/** Seconds of silence before the first part and after the last. */
const MARGIN_SECONDS = 0.3;
const SEED = 5;
const FULL_SCALE = 32_767;

/**
 * Mixes utterances of several speakers into one recording, with pauses or overlaps.
 *
 * @param {string} name first part of the file name
 * @param {Part[]} parts not empty
 * @param {{ noise?: number }} [options] noise: peak level of white noise, 0 to 1; none by default
 * @returns {Promise<{ path: string, turns: MixedTurn[], duration: number }>} a 16 kHz mono WAV file of the cache
 */
export async function mixRecording(name, parts, { noise = 0 } = {}) {
  const sounds = parts.map(({ samples, ...rest }) => ({ ...rest, samples: hashSamples(samples) }));
  const from = { sounds, noise, generators: await hashGenerators() };
  const [path, metadataPath] = await cacheFiles(
    { name, from, extensions: ['wav', 'json'] },
    async ([wav, json]) => {
      const mixed = mixParts(parts);
      addNoise(mixed.sound, noise);
      await writeWav(wav, mixed.sound);
      const duration = mixed.sound.length / RATE;
      await writeFile(json, JSON.stringify({ turns: mixed.turns, duration }));
    },
  );
  return { path, ...JSON.parse(await readFile(metadataPath, 'utf8')) };
}

/** @param {Part[]} parts @returns {{ sound: Int32Array, turns: MixedTurn[] }} */
function mixParts(parts) {
  let at = Math.round(MARGIN_SECONDS * RATE);
  const positions = parts.map(({ samples, pause }) => {
    const begin = at;
    at = Math.max(begin, begin + samples.length + Math.round(pause * RATE));
    return { begin, end: begin + samples.length };
  });
  const length = Math.max(...positions.map(({ end }) => end)) + Math.round(MARGIN_SECONDS * RATE);
  const sound = new Int32Array(length);
  for (const [index, { samples, gain = 1 }] of parts.entries()) {
    const { begin } = positions[index];
    for (let i = 0; i < samples.length; i++) sound[begin + i] += Math.round(gain * samples[i]);
  }
  const turns = parts.map(({ speaker, text }, index) => {
    const { begin, end } = positions[index];
    return { speaker, text, start: begin / RATE, end: end / RATE };
  });
  return { sound, turns };
}

/** @param {Int32Array} sound @param {number} level */
function addNoise(sound, level) {
  if (level === 0) return;
  const random = new SeededRandom(SEED);
  for (let i = 0; i < sound.length; i++) sound[i] += Math.round(random.between(-level, level) * FULL_SCALE);
}

/** @param {string} path @param {Int32Array} sound clipped to 16 bits */
async function writeWav(path, sound) {
  const out = await WavWriter.create(path);
  try {
    await out.write(Int16Array.from(sound, (value) => Math.max(-FULL_SCALE, Math.min(FULL_SCALE, value))));
  } finally {
    await out.close();
  }
}

function hashSamples(samples) {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return createHash('sha256').update(bytes).digest('hex');
}
