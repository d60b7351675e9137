import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chunkAudioToSink, decodeAudioToMono, encodeWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMedia } from '../support/make-media.js';

const RATE = 16_000;
const { signal } = new AbortController();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-layouts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A WAV file without a layout, in which the first channel sounds in the first second, the second one in the second, … */
async function writeChannelsInTurn(name: string, channels: number): Promise<string> {
  const samples = Int16Array.from({ length: channels * channels * RATE }, (_, index) => {
    const [at, channel] = [Math.floor(index / channels), index % channels];
    return Math.floor(at / RATE) === channel ? 8_000 * Math.sin((2 * Math.PI * 440 * at) / RATE) : 0;
  });
  const wav = encodeWav(samples);
  wav.writeUInt16LE(channels, 22);
  wav.writeUInt32LE(2 * channels * RATE, 28);
  wav.writeUInt16LE(2 * channels, 32);
  const path = join(folder, name);
  await writeFile(path, wav);
  return path;
}

/** Of each second. */
async function measurePeaks(path: string): Promise<number[]> {
  const samples: number[] = [];
  for await (const block of decodeAudioToMono(path, { signal })) samples.push(...block);
  return Array.from({ length: Math.round(samples.length / RATE) }, (_, second) =>
    samples
      .slice(second * RATE, (second + 1) * RATE)
      .reduce((peak, each) => Math.max(peak, Math.abs(each)), 0),
  );
}

describe('a file without a layout of its channels', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is heard with all of its %d channels', async (channels) => {
    const peaks = await measurePeaks(await writeChannelsInTurn(`${channels}.wav`, channels));
    expect(peaks).toHaveLength(channels);
    for (const [index, peak] of peaks.entries()) expect(peak, `channel ${index + 1}`).toBeGreaterThan(500);
  });

  it('of two channels can still be transcribed apart', async () => {
    const path = await writeChannelsInTurn('two.wav', 2);
    const summary = await chunkAudioToSink({ path, multichannel: true, signal }, async () => undefined);
    expect(summary).toMatchObject({ multichannel: true, duration: 2 });
  });
});

describe('a file with a layout', () => {
  it('is heard without the bass channel', async () => {
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'];
    const path = await makeMedia(folder, 'bass.wav', ...tone, '-af', 'pan=5.1|LFE=c0');
    expect((await measurePeaks(path))[0]).toBeLessThan(5);
    const centre = await makeMedia(folder, 'centre.wav', ...tone, '-af', 'pan=5.1|FC=c0');
    expect((await measurePeaks(centre))[0]).toBeGreaterThan(300);
  });
});
