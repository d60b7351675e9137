import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeAudioToMono } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMedia } from '../support/make-media.js';

const neverAborted = new AbortController().signal;
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=10'];
const VIDEO = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=5:duration=20'];
const FASTSTART = ['-movflags', '+faststart'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-truncated-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The declared duration if the file is reported as truncated, otherwise null. */
async function readDeclaredSeconds(path: string): Promise<number | null> {
  let declaredSeconds: number | null = null;
  const onTruncated = (seconds: number) => void (declaredSeconds = seconds);
  for await (const _ of decodeAudioToMono(path, { signal: neverAborted, onTruncated }));
  return declaredSeconds;
}

/** Seconds within the file that could not be decoded, null if there are none. */
async function readDamagedSeconds(path: string): Promise<number | null> {
  let damagedSeconds: number | null = null;
  const onDamaged = (seconds: number) => void (damagedSeconds = seconds);
  for await (const _ of decodeAudioToMono(path, { signal: neverAborted, onDamaged }));
  return damagedSeconds;
}

/** Calls `readDeclaredSeconds` for a file and for its first half. */
async function readWholeAndHalf(name: string, args: string[]): Promise<(number | null)[]> {
  const whole = await makeMedia(folder, name, ...args);
  const bytes = await readFile(whole);
  const half = join(folder, `half-${name}`);
  await writeFile(half, bytes.subarray(0, bytes.length >> 1));
  return [await readDeclaredSeconds(whole), await readDeclaredSeconds(half)];
}

describe('detection of truncated files', () => {
  it.each([
    ['a.wav', TONE, 10],
    ['a.aiff', TONE, 10],
    ['a.flac', TONE, 10],
    ['a.m4a', [...TONE, ...FASTSTART], 10],
    ['a.webm', [...TONE, '-c:a', 'libopus'], 10],
    ['header.mp3', TONE, 10],
    ['vbr-header.mp3', [...TONE, '-q:a', '5'], 10],
    ['film.mp4', [...TONE, ...VIDEO, '-shortest', '-c:v', 'mpeg4', ...FASTSTART], 10],
    ['longer-film.mp4', [...TONE, ...VIDEO, '-c:v', 'mpeg4', ...FASTSTART], 20],
    ['longer-film.mkv', [...TONE, ...VIDEO, '-c:v', 'mpeg4'], 20],
  ])(
    '%s: the whole file is not reported, and its first half is reported with the declared duration',
    async (name, args, seconds) => {
      const [whole, half] = await readWholeAndHalf(name, args);
      expect(whole).toBeNull();
      expect(half).toBeCloseTo(seconds, 0);
    },
  );

  it.each([
    ['a.ogg', TONE],
    ['no-header.mp3', [...TONE, '-write_xing', '0', '-id3v2_version', '0']],
    ['vbr-no-header.mp3', [...TONE, '-q:a', '5', '-write_xing', '0', '-id3v2_version', '0']],
    ['a.aac', TONE],
    ['a.ts', [...TONE, '-c:a', 'aac']],
    ['live.webm', [...TONE, '-c:a', 'libopus', '-f', 'webm', '-live', '1']],
  ])('%s declares no duration and is not reported when it is cut off', async (name, args) => {
    expect(await readWholeAndHalf(name, args)).toEqual([null, null]);
  });

  it('an Ogg file of which the decoder finds nothing after damage is reported, and one that starts late is not', async () => {
    const noise = [
      '-f',
      'lavfi',
      '-i',
      'anoisesrc=duration=60:amplitude=0.5',
      '-c:a',
      'libopus',
      '-b:a',
      '64k',
    ];
    const whole = await readFile(await makeMedia(folder, 'noise.ogg', ...noise));
    const damaged = Buffer.from(whole);
    for (let at = whole.length >> 2; at < whole.length >> 1; at += 1) damaged[at] = (at * 7_919) % 251;
    await writeFile(join(folder, 'damaged.ogg'), damaged);
    expect(await readDeclaredSeconds(join(folder, 'damaged.ogg'))).toBeCloseTo(60, 0);
    const pages: number[] = [];
    for (let at = whole.indexOf('OggS'); at >= 0; at = whole.indexOf('OggS', at + 4)) pages.push(at);
    const [start, middle] = [pages[2], pages[pages.length >> 1]];
    await writeFile(
      join(folder, 'late.ogg'),
      Buffer.concat([whole.subarray(0, start), whole.subarray(middle)]),
    );
    expect(await readDeclaredSeconds(join(folder, 'late.ogg'))).toBeNull();
  });

  it.each(['flac', 'm4a', 'webm'])(
    '%s: audio that is damaged within the file is reported',
    async (extension) => {
      const noise = ['-f', 'lavfi', '-i', 'anoisesrc=duration=60:amplitude=0.5'];
      const whole = await makeMedia(folder, `noise.${extension}`, ...noise);
      expect(await readDamagedSeconds(whole)).toBeNull();
      const bytes = await readFile(whole);
      for (let at = bytes.length >> 2; at < bytes.length >> 1; at += 1) bytes[at] = (at * 7_919) % 251;
      await writeFile(join(folder, `damaged.${extension}`), bytes);
      expect(await readDamagedSeconds(join(folder, `damaged.${extension}`))).toBeGreaterThan(5);
    },
  );

  it('a file with an edit list and a recording that was written to a pipe are not reported', async () => {
    const long = await makeMedia(folder, 'long.m4a', ...TONE);
    const edited = await makeMedia(folder, 'edited.m4a', '-ss', '4', '-i', long, '-c', 'copy', ...FASTSTART);
    expect(await readDeclaredSeconds(edited)).toBeNull();
    const wav = await readFile(await makeMedia(folder, 'plain.wav', ...TONE, '-bitexact'));
    for (const size of [0xffffffff, 0x80000000, 0x7fffffff, 0x7ffff000, 0]) {
      wav.writeUInt32LE(size, 40);
      await writeFile(join(folder, 'piped.wav'), wav);
      expect(await readDeclaredSeconds(join(folder, 'piped.wav')), size.toString(16)).toBeNull();
    }
  });

  it('a truncated file with cover art is reported, and concatenated recordings are not', async () => {
    const cover = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=d=1:s=64x64',
      '-frames:v',
      '1',
      '-disposition:v',
      'attached_pic',
    ];
    const [whole, half] = await readWholeAndHalf('cover.mp3', [...TONE, ...cover, '-c:v', 'png']);
    expect([whole, half?.toFixed()]).toEqual([null, '10']);
    for (const extension of ['mp3', 'webm', 'flac']) {
      const bytes = await readFile(await makeMedia(folder, `piece.${extension}`, ...TONE));
      await writeFile(join(folder, `double.${extension}`), Buffer.concat([bytes, bytes]));
      expect(await readDeclaredSeconds(join(folder, `double.${extension}`)), extension).toBeNull();
    }
  });
});
