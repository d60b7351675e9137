import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseWav } from '../../../scripts/material/wav.mjs';
import { dialogue, FORMAT_NAMES, inFormat, noise, silence, tone, truncated } from './index.js';

const run = promisify(execFile);
const installed = await run('flite', ['--help']).then(
  () => run('ffmpeg', ['-version']).then(() => true),
  (error: unknown) => isInstalled(error),
);
if (!installed) console.warn('Skipped tests of the audio material: flite or ffmpeg is not installed.');

describe.skipIf(!installed)('dialogue', () => {
  it.each([3, 10, 31.5])('a dialogue lasts exactly %d seconds', async (seconds) => {
    const made = await dialogue({ seconds, voices: 2, seed: 5 });
    const { rate, samples } = parseWav(await readFile(made.path));
    expect(samples.length / rate).toBeCloseTo(seconds, 4);
    expect(made.duration).toBeCloseTo(seconds, 4);
    expect(made.turns.length).toBeGreaterThan(0);
  });

  it('the turns of a dialogue are in order, with sound during each and silence between them', async () => {
    const { path, turns, duration } = await dialogue({ seconds: 40, voices: 3, seed: 11 });
    const { rate, samples } = parseWav(await readFile(path));
    let last = 0;
    for (const { start, end } of turns) {
      expect(start).toBeGreaterThan(last);
      expect(end).toBeGreaterThan(start);
      expect(loudest(samples.subarray(last * rate, start * rate))).toBe(0);
      expect(loudest(samples.subarray(start * rate, (start + 0.5) * rate))).toBeGreaterThan(500);
      expect(loudest(samples.subarray((end - 0.5) * rate, end * rate))).toBeGreaterThan(500);
      last = end;
    }
    expect(last).toBeLessThanOrEqual(duration);
  });

  it.each([2, 3, 4] as const)(
    'a dialogue has %d speakers, none of whom has two turns in a row',
    async (voices) => {
      const { turns } = await dialogue({ seconds: 40, voices, seed: 3 });
      expect(new Set(turns.map((turn) => turn.speaker)).size).toBe(voices);
      expect(new Set(turns.map((turn) => turn.voice)).size).toBe(voices);
      for (const [index, turn] of turns.entries()) expect(turn.speaker).not.toBe(turns[index - 1]?.speaker);
    },
  );

  it('a dialogue contains the spoken words in lower case', async () => {
    const { words, turns } = await dialogue({ seconds: 10, voices: 2, seed: 5 });
    expect(words.length).toBeGreaterThan(turns.length * 3);
    expect(words.every((word) => /^[a-z']+$/.test(word))).toBe(true);
  });

  it('a dialogue differs for another seed', async () => {
    const one = await dialogue({ seconds: 10, voices: 2, seed: 5 });
    const other = await dialogue({ seconds: 10, voices: 2, seed: 6 });
    expect(other.words).not.toEqual(one.words);
  });

  it.each([
    { seconds: 1, voices: 2, seed: 1 },
    { seconds: Number.NaN, voices: 2, seed: 1 },
    { seconds: 10, voices: 2, seed: 0.5 },
  ] as const)('a dialogue with the invalid options %j is rejected', async (request) => {
    await expect(dialogue(request)).rejects.toThrow(RangeError);
  });
});

describe('sound without speech', () => {
  it.each([
    ['silence', silence, 0, 0],
    ['tone', tone, 9_800, 9_831],
    ['noise', noise, 1_600, 1_639],
  ] as const)('the generated %s has the requested length and level', async (_, make, least, most) => {
    const { rate, samples } = parseWav(await readFile(await make(2.5)));
    expect(samples.length).toBe(2.5 * rate);
    expect(loudest(samples)).toBeGreaterThanOrEqual(least);
    expect(loudest(samples)).toBeLessThanOrEqual(most);
  });

  it('the generated tone has the requested frequency', async () => {
    const { samples } = parseWav(await readFile(await tone(1, { hertz: 100 })));
    const rises = samples.filter(
      (sample, index) => index > 0 && sample >= 0 && (samples[index - 1] ?? 0) < 0,
    );
    expect(Math.abs(rises.length - 100)).toBeLessThanOrEqual(1);
  });
});

describe.skipIf(!installed)('variants', () => {
  it.each([
    ['mp3', { codec_name: 'mp3', sample_rate: '16000', channels: 1 }],
    ['opus', { codec_name: 'opus', channels: 1 }],
    ['flac', { codec_name: 'flac', sample_rate: '16000', channels: 1 }],
    ['m4a', { codec_name: 'aac', channels: 1 }],
    ['telephone', { codec_name: 'pcm_s16le', sample_rate: '8000', channels: 1 }],
    ['studio', { codec_name: 'pcm_s24le', sample_rate: '96000', channels: 1 }],
    ['surround', { codec_name: 'pcm_s16le', sample_rate: '48000', channels: 6 }],
    ['video', { codec_name: 'aac', channels: 1 }],
  ] as const)('a dialogue can be converted to %s', async (format, expected) => {
    const { path } = await dialogue({ seconds: 3, voices: 2, seed: 5 });
    const { streams, seconds } = await probe(await inFormat(path, format));
    expect(streams.find((stream) => stream.codec_type === 'audio')).toMatchObject(expected);
    expect(streams.some((stream) => stream.codec_type === 'video')).toBe(format === 'video');
    expect(Math.abs(seconds - 3)).toBeLessThan(0.3);
  });

  it('FORMAT_NAMES lists every format', () => {
    expect([...FORMAT_NAMES].sort()).toEqual(
      ['flac', 'm4a', 'mp3', 'opus', 'studio', 'surround', 'telephone', 'video'].sort(),
    );
  });

  it('truncated writes a shorter copy and does not change the file', async () => {
    const { path } = await dialogue({ seconds: 3, voices: 2, seed: 5 });
    const whole = await readFile(path);
    const part = await readFile(await truncated(path, 0.5));
    expect(part.equals(whole.subarray(0, Math.floor(whole.length / 2)))).toBe(true);
  });
});

interface Probe {
  streams: { codec_type: string; codec_name: string }[];
  seconds: number;
}

async function probe(path: string): Promise<Probe> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-show_streams',
    '-show_format',
    '-of',
    'json',
    path,
  ]);
  const { streams, format } = JSON.parse(stdout) as {
    streams: Probe['streams'];
    format: { duration: string };
  };
  return { streams, seconds: Number(format.duration) };
}

function loudest(samples: Int16Array): number {
  return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

/** An error other than ENOENT shows that the program is installed. */
function isInstalled(error: unknown): boolean {
  return !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
}
