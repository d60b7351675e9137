import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE_RATE } from '../../wav/pcm.js';
import { decodeWav, encodeWav } from '../../wav/wav.js';
import { encodeWavFileAsFlac } from './encode-wav-file-as-flac.js';

const never = new AbortController().signal;

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-flac-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the samples survive unchanged, the file is smaller, and its header has the number of samples', async () => {
  const samples = Int16Array.from({ length: 3 * SAMPLE_RATE + 77 }, (_, index) =>
    Math.round(9000 * Math.sin(index / 7) + 500 * Math.sin(index * index)),
  );
  const path = join(folder, 'a chunk.wav');
  await writeFile(path, encodeWav(samples));
  const flac = await encodeWavFileAsFlac(path, samples.length, never);
  expect(flac.length).toBeLessThan(samples.length * 2 * 0.8);
  expect(flac.readUIntBE(8 + 12, 6) % 2 ** 36).toBe(samples.length);
  await writeFile(join(folder, 'chunk.flac'), flac);
  const options = ['-v', 'error', '-y', '-i', join(folder, 'chunk.flac'), '-bitexact', '-f', 'wav', 'pipe:1'];
  const { stdout } = await promisify(execFile)('ffmpeg', options, { encoding: 'buffer' });
  const decoded = decodeWav(stdout);
  expect(decoded.length).toBe(samples.length);
  expect(decoded.every((sample, index) => sample === samples[index])).toBe(true);
});

it('an unreadable file and an abort end in an error', async () => {
  await expect(encodeWavFileAsFlac(join(folder, 'missing.wav'), 1, never)).rejects.toThrow('ffmpeg');
  const reason = new Error('no longer wanted');
  await expect(encodeWavFileAsFlac(join(folder, 'a chunk.wav'), 1, AbortSignal.abort(reason))).rejects.toBe(
    reason,
  );
});
