import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PocketsphinxEngine, readWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { denoise } from '../../libs/speech/src/engine/pocketsphinx/denoise.js';
import { dereverberate } from '../../libs/speech/src/engine/pocketsphinx/dereverberate.js';
import { RELIABLY_RECOGNIZED_WORDS, SPOKEN_TEXT } from '../support/reliably-recognized-words.js';

const run = promisify(execFile);
const neverAborted = new AbortController().signal;
/** Amplitude relative to full scale; the voice is about 15 dB louder. */
const NOISE_LEVEL = 0.02;
const ROOM_ECHO = 'aecho=0.8:0.7:23|41|67|97:0.4|0.3|0.2|0.15';

let folder: string;
let clean: string;
let noisy: string;
let echoing: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-noisy-'));
  [clean, noisy, echoing] = [join(folder, 'clean.wav'), join(folder, 'noisy.wav'), join(folder, 'room.wav')];
  const spoken = join(folder, 'spoken.wav');
  await run('flite', ['-voice', 'slt', '-t', SPOKEN_TEXT, '-o', spoken]);
  const mono = ['-ar', '16000', '-ac', '1'];
  await run('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-i',
    spoken,
    '-af',
    'adelay=500,apad=pad_dur=1',
    ...mono,
    clean,
  ]);
  const mix = `anoisesrc=a=${NOISE_LEVEL}:c=white:r=16000:seed=3[n];[0][n]amix=inputs=2:duration=first:normalize=0`;
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', clean, '-filter_complex', mix, ...mono, noisy]);
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', clean, '-af', ROOM_ECHO, ...mono, echoing]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('speech in noise', () => {
  it('denoising reduces word errors', async () => {
    const found = await recognizeReliableWords(noisy);
    console.log(`In white noise: ${found.length} of ${RELIABLY_RECOGNIZED_WORDS.length} words.`);
    // Without denoising it is one.
    expect(found.length).toBeGreaterThanOrEqual(4);
  });

  it('denoising preserves timing', async () => {
    const samples = await readWav(noisy, neverAborted);
    const denoised = await denoise(noisy, samples, neverAborted);
    expect(denoised).toHaveLength(samples.length);
    // The first half second contains only noise.
    expect(computeLoudness(denoised.subarray(1_600, 7_000))).toBeLessThan(
      0.4 * computeLoudness(samples.subarray(1_600, 7_000)),
    );
    expect(measureDelay(await readWav(clean, neverAborted), denoised)).toBe(0);
  });

  it('clean speech is unchanged', async () => {
    const samples = await readWav(clean, neverAborted);
    expect(await denoise(clean, samples, neverAborted)).toBe(samples);
  });

  it('the audio stays unchanged when the filter fails', async () => {
    const samples = await readWav(noisy, neverAborted);
    expect(await denoise(join(folder, 'absent.wav'), samples, neverAborted)).toBe(samples);
  });
});

describe('speech in an echoing room', () => {
  it('dereverberation reduces word errors', async () => {
    const found = await recognizeReliableWords(echoing);
    console.log(`In an echoing room: ${found.length} of ${RELIABLY_RECOGNIZED_WORDS.length} words.`);
    // Without dereverberation there are two.
    expect(found.length).toBeGreaterThanOrEqual(4);
  });

  it('dereverberation changes only reverberant audio', async () => {
    const samples = await readWav(echoing, neverAborted);
    expect(computeLoudness(dereverberate(samples))).toBeLessThan(0.8 * computeLoudness(samples));
    for (const path of [clean, noisy]) {
      const other = await readWav(path, neverAborted);
      expect(dereverberate(other)).toBe(other);
    }
  });
});

async function recognizeReliableWords(path: string): Promise<string[]> {
  const engine = new PocketsphinxEngine();
  const transcription = await engine.transcribe(
    { path, duration: 12 },
    { vocabulary: [], signal: neverAborted },
  );
  await engine.close();
  const words = new Set(transcription.words.map(({ text }) => text));
  return RELIABLY_RECOGNIZED_WORDS.filter((word) => words.has(word));
}

function computeLoudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
}

/** The delay of `late` after `early` in samples, searched within 40 ms. */
function measureDelay(early: Int16Array, late: Int16Array): number {
  const lags = Array.from({ length: 1_281 }, (_, index) => index - 640);
  const correlate = (lag: number): number => {
    let sum = 0;
    for (let at = 20_000; at < 60_000; at += 1) sum += (early[at] ?? 0) * (late[at + lag] ?? 0);
    return sum;
  };
  return lags.reduce((best, lag) => (correlate(lag) > correlate(best) ? lag : best));
}
