/** The same sound in other formats, and broken, as files of the cache. */
import { execFile } from 'node:child_process';
import { copyFile, stat, truncate } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { cached, contentHash } from './cache.mjs';

const run = promisify(execFile);

/**
 * How ffmpeg makes each format of a sound.
 * @type {Record<string, { extension: string, before?: string[], args: string[] }>}
 */
const FORMATS = {
  mp3: { extension: 'mp3', args: ['-c:a', 'libmp3lame', '-b:a', '64k'] },
  opus: { extension: 'ogg', args: ['-c:a', 'libopus', '-b:a', '32k'] },
  flac: { extension: 'flac', args: ['-c:a', 'flac'] },
  m4a: { extension: 'm4a', args: ['-c:a', 'aac', '-b:a', '96k', '-movflags', '+faststart'] },
  telephone: { extension: 'wav', args: ['-ar', '8000', '-c:a', 'pcm_s16le'] },
  studio: { extension: 'wav', args: ['-ar', '96000', '-c:a', 'pcm_s24le'] },
  // The voice where films have it: in the middle; the other five channels are silent.
  surround: { extension: 'wav', args: ['-af', 'pan=5.1|FC=c0', '-ar', '48000', '-c:a', 'pcm_s16le'] },
  video: {
    extension: 'mp4',
    before: ['-f', 'lavfi', '-i', 'color=c=gray:s=160x120:r=5'],
    args: [
      '-map',
      '1:a',
      '-map',
      '0:v',
      '-shortest',
      '-c:v',
      'libx264',
      '-tune',
      'zerolatency',
      '-c:a',
      'aac',
    ],
  },
};

/** Names of the formats. */
export const FORMAT_NAMES = Object.keys(FORMATS);

/**
 * @param {string} path a sound in any format
 * @param {string} format one of `FORMAT_NAMES`
 * @returns {Promise<string>} path of the same sound in that format
 * @throws {RangeError} for another format
 */
export async function inFormat(path, format) {
  const way = FORMATS[format];
  if (!way) throw new RangeError(`There is no format ${format}, only ${FORMAT_NAMES.join(', ')}.`);
  const from = { sound: await contentHash(path), way };
  return cached({ name: format, extension: way.extension, from }, async (draft) => {
    const quiet = ['-nostdin', '-v', 'error', '-y'];
    await ffmpeg([...quiet, ...(way.before ?? []), '-i', path, ...way.args, draft]);
  });
}

/**
 * @param {string} path a sound in any format
 * @param {string} filter as ffmpeg's `-af` takes it
 * @returns {Promise<string>} path of the sound after the filter, a 16 kHz mono WAV file
 */
export async function filtered(path, filter) {
  const from = { sound: await contentHash(path), filter };
  return cached({ name: 'filtered', extension: 'wav', from }, (draft) => {
    const form = ['-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-bitexact'];
    return ffmpeg(['-nostdin', '-v', 'error', '-y', '-i', path, '-af', filter, ...form, draft]);
  });
}

/**
 * A file that ends too early, as after a broken upload.
 * @param {string} path
 * @param {number} [share] of the bytes that are kept, 0 to 1
 * @returns {Promise<string>} path of the shorter copy
 */
export async function truncated(path, share = 0.6) {
  const extension = extname(path).slice(1) || 'bin';
  const from = { bytes: await contentHash(path), share };
  return cached({ name: 'truncated', extension, from }, async (draft) => {
    await copyFile(path, draft);
    await truncate(draft, Math.floor((await stat(path)).size * share));
  });
}

/** @param {string[]} args */
async function ffmpeg(args) {
  try {
    await run('ffmpeg', args);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    throw new Error(
      'ffmpeg is not installed. Install it with `apt install ffmpeg` or `brew install ffmpeg`.',
      {
        cause: error,
      },
    );
  }
}
