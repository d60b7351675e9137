/** Cached copies of audio files: converted, filtered or truncated. */
import { execFile } from 'node:child_process';
import { copyFile, stat, truncate } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { cacheFile, hashFile } from './cache.mjs';

const run = promisify(execFile);

/**
 * ffmpeg arguments of each format.
 * @type {Record<string, { extension: string, before?: string[], args: string[] }>}
 */
const FORMATS = {
  mp3: { extension: 'mp3', args: ['-c:a', 'libmp3lame', '-b:a', '64k'] },
  opus: { extension: 'ogg', args: ['-c:a', 'libopus', '-b:a', '32k'] },
  flac: { extension: 'flac', args: ['-c:a', 'flac'] },
  m4a: { extension: 'm4a', args: ['-c:a', 'aac', '-b:a', '96k', '-movflags', '+faststart'] },
  telephone: { extension: 'wav', args: ['-ar', '8000', '-c:a', 'pcm_s16le'] },
  studio: { extension: 'wav', args: ['-ar', '96000', '-c:a', 'pcm_s24le'] },
  // As in films, the voice is in the centre channel; the other five are silent.
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

export const FORMAT_NAMES = Object.keys(FORMATS);

/**
 * @param {string} path an audio file of any format
 * @param {string} format one of `FORMAT_NAMES`
 * @returns {Promise<string>} path of the converted copy
 * @throws {RangeError} for another format
 */
export async function convertFormat(path, format) {
  const encoding = FORMATS[format];
  if (!encoding) throw new RangeError(`There is no format ${format}, only ${FORMAT_NAMES.join(', ')}.`);
  const from = { sound: await hashFile(path), encoding };
  return cacheFile({ name: format, extension: encoding.extension, from }, async (draft) => {
    const quiet = ['-nostdin', '-v', 'error', '-y'];
    await runFfmpeg([...quiet, ...(encoding.before ?? []), '-i', path, ...encoding.args, draft]);
  });
}

/**
 * @param {string} path an audio file of any format
 * @param {string} filter value of ffmpeg's `-af`
 * @returns {Promise<string>} path of a filtered copy, a 16 kHz mono WAV file
 */
export async function applyFilter(path, filter) {
  const from = { sound: await hashFile(path), filter };
  return cacheFile({ name: 'filtered', extension: 'wav', from }, (draft) => {
    const form = ['-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-bitexact'];
    return runFfmpeg(['-nostdin', '-v', 'error', '-y', '-i', path, '-af', filter, ...form, draft]);
  });
}

/**
 * Makes a copy that ends too early, as after an interrupted upload.
 * @param {string} path
 * @param {number} [share] of the bytes that remain, 0 to 1
 * @returns {Promise<string>} path of the copy
 */
export async function truncateCopy(path, share = 0.6) {
  const extension = extname(path).slice(1) || 'bin';
  const from = { bytes: await hashFile(path), share };
  return cacheFile({ name: 'truncated', extension, from }, async (draft) => {
    await copyFile(path, draft);
    await truncate(draft, Math.floor((await stat(path)).size * share));
  });
}

/** @param {string[]} args */
async function runFfmpeg(args) {
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
