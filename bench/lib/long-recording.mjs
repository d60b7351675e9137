import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDialogue } from '../../scripts/material/library.mjs';

const run = promisify(execFile);

/**
 * Makes an MP3 of any length by repeating eight minutes of two voices.
 *
 * @param {string} folder of the file @param {number} minutes
 * @param {string[]} [encoding] ffmpeg arguments
 * @returns {Promise<string>} its path
 */
export async function makeLongRecording(folder, minutes, encoding = ['-b:a', '48k']) {
  const { path } = await makeDialogue({ seconds: 480, voices: 2, seed: 7 });
  const [part, whole] = [join(folder, 'part.mp3'), join(folder, `${minutes}.mp3`)];
  const quiet = ['-v', 'error', '-y'];
  await run('ffmpeg', [...quiet, '-i', path, ...encoding, part]);
  const length = ['-t', String(minutes * 60)];
  await run('ffmpeg', [...quiet, '-stream_loop', '-1', '-i', part, ...length, '-c', 'copy', whole]);
  return whole;
}
