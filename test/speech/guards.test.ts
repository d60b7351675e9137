import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chunkAudioToSink, encodeWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMedia } from '../support/make-media.js';

/** The names of these tests are quoted in docs/speech/guards.md. */

const run = promisify(execFile);
const { signal } = new AbortController();
const SPOKEN_TEXT = 'I can see the library from the small mountain.';
let folder: string;
let speech: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-guards-'));
  speech = join(folder, 'speech.wav');
  await run('flite', ['-voice', 'slt', '-t', SPOKEN_TEXT, '-o', speech]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const createSyntheticSound = (name: string, source: string, ...args: string[]) =>
  makeMedia(folder, name, '-f', 'lavfi', '-i', source, ...args);

const convertSpeech = (name: string, ...args: string[]) => makeMedia(folder, name, '-i', speech, ...args);

async function measureSpeechSeconds(path: string): Promise<number> {
  return (await chunkAudioToSink({ path, signal }, async () => undefined)).speechSeconds;
}

describe('audio without speech', () => {
  it.each([
    ['pink noise', 'anoisesrc=c=pink:a=0.3:d=8:seed=1'],
    ['brown noise', 'anoisesrc=c=brown:a=0.5:d=8:seed=1'],
    ['mains hum', "aevalsrc='0.3*sin(2*PI*50*t)+0.15*sin(2*PI*100*t)+0.1*sin(2*PI*150*t)':d=8"],
  ])('%s: no speech is detected and the engine is not called', async (name, source) => {
    expect(
      await measureSpeechSeconds(await createSyntheticSound(`${name}.wav`, source, '-ar', '16000')),
    ).toBe(0);
  });
});

describe('a nearly empty file', () => {
  it('a single sample is valid audio', async () => {
    const path = join(folder, 'one.wav');
    await writeFile(path, encodeWav(Int16Array.of(9000)));
    const summary = await chunkAudioToSink({ path, signal }, async () => undefined);
    expect(summary).toEqual({
      duration: 1 / 16_000,
      speechSeconds: 0,
      chunks: 0,
      declaredSeconds: null,
      damagedSeconds: null,
      multichannel: false,
    });
  });
});

describe('speech in unusual files', () => {
  let whole: number;
  beforeAll(async () => {
    whole = await measureSpeechSeconds(speech);
    expect(whole).toBeGreaterThan(2);
  });

  it.each([
    ['the centre of 5.1 channels', ['-af', 'pan=5.1|FC=c0']],
    ['one back channel of 5.1', ['-af', 'pan=5.1|BL=c0']],
    ['the right channel', ['-af', 'pan=stereo|c1=c0']],
    ['channels of opposite phase', ['-af', 'pan=stereo|c0=c0|c1=-1*c0']],
    ['96 kHz and 24 bits', ['-ar', '96000', '-c:a', 'pcm_s24le']],
    ['8 kHz telephone, µ-law', ['-ar', '8000', '-c:a', 'pcm_mulaw']],
    ['an offset', ['-af', 'dcshift=0.3']],
    ['clipping', ['-af', 'volume=12dB']],
    ['fifty decibels too little', ['-af', 'volume=-50dB']],
  ])('%s: all speech is detected', async (name, args) => {
    const path = await convertSpeech(`${name}.wav`, ...args);
    expect(Math.abs((await measureSpeechSeconds(path)) - whole)).toBeLessThan(0.4);
  });

  it('a wrong file extension is ignored', async () => {
    const mp3 = await convertSpeech('right.mp3');
    const wrong = join(folder, 'wrong.wav');
    await rename(mp3, wrong);
    expect(Math.abs((await measureSpeechSeconds(wrong)) - whole)).toBeLessThan(0.4);
  });
});
