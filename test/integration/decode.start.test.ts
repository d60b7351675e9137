import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkDecoder,
  decodeAudioToMono,
  type DecodeLimits,
  DecoderUnavailableError,
  detectSandboxProtections,
} from '@app/speech';
import { expect, it, onTestFinished } from 'vitest';
import { makeMedia } from '../support/make-media.js';

async function decodeSeconds(path: string, limits: Partial<DecodeLimits> = {}): Promise<number> {
  let samples = 0;
  for await (const block of decodeAudioToMono(path, { signal: new AbortController().signal, limits }))
    samples += block.length;
  return samples / 16_000;
}

it('a decoder that does not start, or cannot open the file, says nothing about the audio', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-decoder-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { resourceLimits } = await detectSandboxProtections();
  if (!resourceLimits) console.warn('Skipped a decoder without memory: this machine does not limit it.');
  const path = await makeMedia(folder, 'good.wav');
  // The libraries of ffmpeg need more.
  const limits = { memoryBytes: 64 * 2 ** 20 };
  if (resourceLimits)
    await expect(decodeSeconds(path, limits)).rejects.toBeInstanceOf(DecoderUnavailableError);
  await expect(decodeSeconds(join(folder, 'missing.mp3'))).rejects.toBeInstanceOf(DecoderUnavailableError);
  await checkDecoder();
  expect(await decodeSeconds(path)).toBe(3);
});
