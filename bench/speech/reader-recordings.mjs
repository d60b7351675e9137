import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { mixRecording } from '../../scripts/material/library.mjs';
import { parseWav, RATE } from '../../scripts/material/wav.mjs';
import { ROOT } from '../../scripts/lib/root.mjs';
import { printProgress } from '../../scripts/lib/user-facing-error.mjs';

/** Optional clips of a human reader, beside the checkout. */
const FOLDER = resolve(ROOT, '..', 'shared', 'audio', 'librivox');

/** The recording of all clips, one after the other. */
export const JOINED_RECORDING_NAME = 'reader, all clips';
/** Seconds between its clips. */
const PAUSE = 0.5;

/**
 * @typedef {{ name: string, path: string, text: string, samples: Int16Array }} Clip 16 kHz mono WAV
 * @returns {Promise<Clip[]>} empty if the recordings are absent, which is printed
 */
export async function loadReaderClips() {
  const names = (await readdir(FOLDER).catch(() => [])).filter((name) => name.endsWith('.wav')).sort();
  if (names.length === 0)
    printProgress('Skipped the recordings of a human reader: ../shared/audio/librivox is absent.');
  return Promise.all(
    names.map(async (file) => {
      const path = join(FOLDER, file);
      const { samples } = parseWav(await readFile(path));
      const text = await readFile(path.replace(/wav$/, 'txt'), 'utf8');
      return { name: basename(file, '.wav'), path, text, samples };
    }),
  );
}

/** Each clip, and all clips in one recording. @returns {Promise<import('./measure-recording.mjs').Recording[]>} */
export async function loadReaderRecordings() {
  const clips = await loadReaderClips();
  if (clips.length === 0) return [];
  const single = clips.map(({ name, path, text, samples }) => {
    const duration = samples.length / RATE;
    const turns = [{ speaker: 'reader', start: 0, end: duration }];
    return { name: `reader, clip ${name}`, path, plain: path, duration, text, turns };
  });
  const parts = clips.map(({ text, samples }) => ({ speaker: 'reader', text, samples, pause: PAUSE }));
  const { path, duration, turns } = await mixRecording('reader', parts);
  const text = clips.map((clip) => clip.text).join(' ');
  return [...single, { name: JOINED_RECORDING_NAME, path, plain: path, duration, text, turns }];
}
