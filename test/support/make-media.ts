import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3'];

/**
 * Creates a media file in a folder with ffmpeg.
 * @param args input and output options of ffmpeg; without an input, three seconds of a 440 Hz tone
 * @returns its path
 */
export async function makeMedia(folder: string, name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name);
  const source = args.includes('-i') ? [] : TONE;
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...source, ...args, `file:${path}`]);
  return path;
}
