/**
 * Speech from text, by the flite synthesiser: the same text and voice always give the same samples.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RATE, parseWav } from './wav.mjs';

const run = promisify(execFile);

/** Quieter than this (of 32768) at either end of an utterance is silence. */
const AUDIBLE = 64;

/** The people who speak in the material, each with a voice of their own, the most different first. */
export const PEOPLE = [
  { speaker: 'Ruth', voice: 'slt' },
  { speaker: 'Martin', voice: 'rms' },
  { speaker: 'Alan', voice: 'awb' },
  { speaker: 'Paul', voice: 'kal16' },
];

/**
 * Says a text.
 * @param {string} voice one of flite's 16 kHz voices, e.g. `slt`
 * @param {string} text
 * @returns {Promise<Int16Array>} 16 kHz mono, without the silence before and after
 * @throws {Error} when flite is missing or does not know the voice
 */
export async function speak(voice, text) {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-flite-'));
  try {
    const path = join(folder, 'said.wav');
    await flite(['-voice', voice, '-t', text, '-o', path]);
    const { rate, samples } = parseWav(await readFile(path));
    if (rate !== RATE) throw new Error(`The voice ${voice} speaks at ${rate} Hz, not at ${RATE} Hz.`);
    return trimmed(samples);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<string>} which flite this is, for cache keys */
export async function fliteVersion() {
  // Asking for the version ends with a non-zero exit code; the words are what counts.
  const { stdout } = await flite(['--version']).catch((error) => {
    if (typeof error.stdout === 'string' && error.stdout.includes('version')) return error;
    throw error;
  });
  return stdout.trim();
}

/** @param {string[]} args */
async function flite(args) {
  try {
    return await run('flite', args);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    throw new Error('flite is not installed. Install it with `apt install flite` or `brew install flite`.', {
      cause: error,
    });
  }
}

/** @param {Int16Array} samples */
function trimmed(samples) {
  let first = 0;
  let last = samples.length;
  while (first < last && Math.abs(samples[first]) < AUDIBLE) first++;
  while (last > first && Math.abs(samples[last - 1]) < AUDIBLE) last--;
  return samples.subarray(first, last);
}
