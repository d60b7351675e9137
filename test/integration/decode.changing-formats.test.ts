import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeAudioToMono } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeToMonoOrStereo } from '../../libs/speech/src/decode/decode-audio.js';
import { makeMedia } from '../support/make-media.js';

const RATE = 16_000;
const { signal } = new AbortController();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-formats-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Three seconds of a tone that is silent in its first second. */
const SECOND_OF_SILENCE = ['-f', 'lavfi', '-i', "sine=frequency=440:duration=3,volume='gte(t,1)':eval=frame"];
const BARE_MP3 = ['-write_xing', '0', '-id3v2_version', '0'];

async function concatenate(name: string, parts: [string, string[]][]): Promise<string> {
  const pieces: Buffer[] = [];
  for (const [index, [extension, args]] of parts.entries())
    pieces.push(
      await readFile(await makeMedia(folder, `${name}-${index}.${extension}`, ...SECOND_OF_SILENCE, ...args)),
    );
  const path = join(folder, name);
  await writeFile(path, Buffer.concat(pieces));
  return path;
}

/** Seconds at which the tone begins, and the length of the audio. */
async function findTones(path: string): Promise<{ starts: number[]; seconds: number }> {
  const samples: number[] = [];
  for await (const block of decodeAudioToMono(path, { signal })) samples.push(...block);
  const windows = Array.from({ length: Math.floor(samples.length / 160) }, (_, index) =>
    samples.slice(160 * index, 160 * (index + 1)).some((sample) => Math.abs(sample) > 500),
  );
  const starts = windows.flatMap((isLoud, index) => (isLoud && !windows[index - 1] ? index / 100 : []));
  return { starts, seconds: samples.length / RATE };
}

function expectTones(
  { starts, seconds }: { starts: number[]; seconds: number },
  times: number[],
  length: number,
) {
  expect(starts).toHaveLength(times.length);
  for (const [index, time] of times.entries())
    expect(Math.abs((starts[index] ?? 0) - time)).toBeLessThan(0.15);
  expect(Math.abs(seconds - length)).toBeLessThan(0.2);
}

describe('a recording whose format changes', () => {
  it('of another rate and another number of channels keeps its times', async () => {
    const path = await concatenate('rates.mp3', [
      ['mp3', ['-ar', '44100', '-ac', '2', ...BARE_MP3]],
      ['mp3', ['-ar', '22050', '-ac', '1', ...BARE_MP3]],
      ['mp3', ['-ar', '44100', '-ac', '2', ...BARE_MP3]],
    ]);
    expectTones(await findTones(path), [1, 4, 7], 9);
  });

  it('between 5.1 and 2.0 keeps its times, and a gap at the change', async () => {
    const path = await concatenate('channels.ts', [
      ['ts', ['-c:a', 'ac3', '-ac', '6']],
      ['ts', ['-c:a', 'ac3', '-ac', '2', '-output_ts_offset', '3']],
      ['ts', ['-c:a', 'ac3', '-ac', '6', '-output_ts_offset', '10']],
    ]);
    expectTones(await findTones(path), [1, 4, 11], 13);
  });

  it('has as many channels as it begins with', async () => {
    const path = await concatenate('stereo.mp3', [
      ['mp3', ['-ar', '44100', '-ac', '2', ...BARE_MP3]],
      ['mp3', ['-ar', '44100', '-ac', '1', ...BARE_MP3]],
    ]);
    let samples = 0;
    const channels = new Set<number>();
    for await (const block of decodeToMonoOrStereo(path, { signal })) {
      channels.add(block.channels);
      samples += block.samples.length / block.channels;
    }
    expect([...channels]).toEqual([2]);
    expect(Math.abs(samples / RATE - 6)).toBeLessThan(0.2);
  });
});
