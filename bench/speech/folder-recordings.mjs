import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join, relative } from 'node:path';
import { runCaptured, lastLine } from '../../scripts/lib/command.mjs';
import { UserFacingError } from '../../scripts/lib/user-facing-error.mjs';
import { RATE, buildWavHeader } from '../../scripts/material/wav.mjs';
import { parseRttm } from './rttm.mjs';

/** Extensions of files that are not recordings. */
const OTHER_FILES = new Set(['.txt', '.rttm', '.json', '.md', '.csv', '']);

/**
 * Runs work with the recordings of a folder and its subfolders, decoded for the bare engine, with words from `NAME.txt`
 * and speaker turns from `NAME.rttm` if these exist.
 *
 * @template T
 * @param {string} folder
 * @param {(recordings: import('./measure-recording.mjs').Recording[]) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws UserFacingError if there are none, or one cannot be read
 */
export async function withFolderRecordings(folder, work) {
  const paths = await listRecordings(folder);
  const decoded = await mkdtemp(join(tmpdir(), 'zephyr-recordings-'));
  try {
    const recordings = [];
    for (const [index, path] of paths.entries()) {
      const plain = join(decoded, `${index}.wav`);
      const duration = await decode(path, plain);
      recordings.push({
        name: relative(folder, path),
        path,
        plain,
        duration,
        ...(await readReferences(path)),
      });
    }
    return await work(recordings);
  } finally {
    await rm(decoded, { recursive: true, force: true });
  }
}

/** @param {string} folder @returns {Promise<string[]>} */
async function listRecordings(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    throw new UserFacingError(`The folder ${folder} cannot be read: ${error.message}`);
  });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .filter(({ name }) => !OTHER_FILES.has(extname(name).toLowerCase()))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  if (paths.length === 0) throw new UserFacingError(`The folder ${folder} contains no recordings.`);
  return paths.sort();
}

/** @param {string} path @param {string} plain the WAV file to write @returns {Promise<number>} seconds */
async function decode(path, plain) {
  const flags = ['-nostdin', '-v', 'error', '-bitexact', '-i', path, '-vn', '-ac', '1', '-ar', String(RATE)];
  const { code, output } = await runCaptured('ffmpeg', [...flags, '-c:a', 'pcm_s16le', '-bitexact', plain]);
  if (code !== 0) throw new UserFacingError(`The recording ${path} cannot be decoded: ${lastLine(output)}`);
  return ((await stat(plain)).size - buildWavHeader(0).length) / 2 / RATE;
}

/** @param {string} path of a recording */
async function readReferences(path) {
  const stem = join(path, '..', basename(path, extname(path)));
  const [text, rttm] = await Promise.all([readIfExists(`${stem}.txt`), readIfExists(`${stem}.rttm`)]);
  try {
    const turns = rttm === null ? [] : parseRttm(rttm);
    return { text: text?.trim() ? text : null, turns: turns.length > 0 ? turns : null };
  } catch (error) {
    throw new UserFacingError(`${stem}.rttm cannot be read: ${error.message}`);
  }
}

/** @param {string} path @returns {Promise<string | null>} */
async function readIfExists(path) {
  const exists = await stat(path).catch(() => null);
  return exists ? readFile(path, 'utf8') : null;
}
