import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RATE, parseWav } from './wav.mjs';

const run = promisify(execFile);

/** Samples below this level (of 32768) at either end of an utterance are silence. */
const SILENCE_THRESHOLD = 64;

/** The speakers of generated dialogues; the most different voices come first. */
export const SPEAKERS = [
  { speaker: 'Ruth', voice: 'slt' },
  { speaker: 'Martin', voice: 'rms' },
  { speaker: 'Alan', voice: 'awb' },
  { speaker: 'Paul', voice: 'kal16' },
];

/**
 * Synthesizes a text with flite; the same text and voice always yield the same samples.
 * @param {string} voice one of flite's 16 kHz voices, e.g. `slt`
 * @param {string} text
 * @returns {Promise<Int16Array>} 16 kHz mono, without the silence before and after
 * @throws {Error} when flite is missing or has no such voice
 */
export async function synthesizeSpeech(voice, text) {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-flite-'));
  try {
    const path = join(folder, 'speech.wav');
    await runFlite(['-voice', voice, '-t', text, '-o', path]);
    const { rate, samples } = parseWav(await readFile(path));
    if (rate !== RATE) throw new Error(`The voice ${voice} speaks at ${rate} Hz, not at ${RATE} Hz.`);
    return trimSilence(samples);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<string>} for cache keys */
export async function readFliteVersion() {
  // flite prints its version and exits with an error code.
  const { stdout } = await runFlite(['--version']).catch((error) => {
    if (typeof error.stdout === 'string' && error.stdout.includes('version')) return error;
    throw error;
  });
  return stdout.trim();
}

/** @param {string[]} args */
async function runFlite(args) {
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
function trimSilence(samples) {
  let first = 0;
  let last = samples.length;
  while (first < last && Math.abs(samples[first]) < SILENCE_THRESHOLD) first++;
  while (last > first && Math.abs(samples[last - 1]) < SILENCE_THRESHOLD) last--;
  return samples.subarray(first, last);
}
