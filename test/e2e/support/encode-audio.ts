import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bytes } from './audio.js';

const run = promisify(execFile);
const BLACK = ['-f', 'lavfi', '-i', 'color=black:size=32x32:rate=2'];
const VIDEO = ['-c:v', 'mpeg4', '-shortest'];

/** The ffmpeg arguments of each kind of file: additional input, encoder, and file extension. */
const KINDS = {
  mp3: [[], []],
  m4a: [[], ['-c:a', 'aac']],
  ogg: [[], ['-c:a', 'libvorbis']],
  flac: [[], []],
  mp4: [BLACK, [...VIDEO, '-c:a', 'aac']],
} satisfies Record<string, [string[], string[]]>;

/** The same audio in another format. */
export async function encodeAudio(wav: Bytes, kind: keyof typeof KINDS): Promise<Bytes> {
  const folder = await mkdtemp(join(tmpdir(), 'e2e-ffmpeg-'));
  try {
    const [from, to] = [join(folder, 'speech.wav'), join(folder, `speech.${kind}`)];
    await writeFile(from, wav);
    const [input, output] = KINDS[kind];
    await run('ffmpeg', ['-v', 'error', '-nostdin', '-i', from, ...input, ...output, to]);
    return new Uint8Array(await readFile(to));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
