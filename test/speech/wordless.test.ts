import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PocketsphinxEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcribeFile } from '../support/transcribe-file.js';
import { makeMedia } from '../support/make-media.js';

/** The names of these tests are quoted in docs/speech/guards.md. */

const run = promisify(execFile);
const engine = new PocketsphinxEngine();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-wordless-'));
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const SECONDS = 20;
const createNoise = (color: string, loudness: string) =>
  `anoisesrc=c=${color}:a=0.8:d=${SECONDS}:r=16000:seed=3,volume='${loudness}':eval=frame`;
const createSound = (formula: string) => `aevalsrc='${formula}':s=16000:d=${SECONDS}`;
/** A major chord that changes every two seconds and is struck twice per second, with rests. */
const CHORDS = ['220', '277', '330', '440']
  .map((hertz) => `sin(2*PI*t*${hertz}*pow(2,floor(mod(t,8)/2)*5/12))`)
  .join('+');
const STRUCK = `0.1*(${CHORDS})*exp(-1.5*mod(t,0.5))`;
const DRUMS = '0.3*(random(0)-0.5)*exp(-30*mod(t,0.5))+0.4*sin(2*PI*60*t)*exp(-12*mod(t,1))';

describe('loud audio without speech', () => {
  it.each([
    ['wind', createNoise('brown', '0.02+pow(0.5+0.3*sin(2*PI*t/7)+0.2*sin(2*PI*t/2.3),3)')],
    ['gusts', createNoise('pink', 'pow(max(0,sin(2*PI*t/5)),2)')],
    ['clatter', createSound('0.7*(random(0)-0.5)*exp(-80*mod(t,0.37))*gt(mod(t,3),0.6)')],
    ['a bell', createSound('0.5*(sin(2*PI*1200*t)+0.6*sin(2*PI*1950*t))*exp(-6*mod(t,2))')],
    ['chords and drums', createSound(`lt(mod(t,8),6.5)*(${STRUCK}+${DRUMS})`)],
  ])('%s: no words are recognized', async (name, source) => {
    const path = await makeMedia(folder, `${name}.wav`, '-f', 'lavfi', '-i', source);
    const { words, duration } = await transcribeFile(engine, path);
    expect(duration).toBeCloseTo(SECONDS, 1);
    expect(words.map(({ text }) => text)).toEqual([]);
  });

  it('the words of a voice over wind are recognized', async () => {
    const speech = join(folder, 'speech.wav');
    await run('flite', ['-voice', 'rms', '-t', 'The radio said that the garden is ready.', '-o', speech]);
    const path = await makeMedia(
      folder,
      'over wind.wav',
      ...['-i', speech, '-f', 'lavfi', '-i', createNoise('brown', '0.1*pow(max(0,sin(2*PI*t/5)),2)')],
      ...['-filter_complex', '[0]adelay=6000[said];[said][1]amix=2:normalize=0'],
    );
    const { words } = await transcribeFile(engine, path);
    expect(words.map(({ text }) => text).join(' ')).toContain('the garden is ready');
    expect(Math.min(...words.map(({ start }) => start))).toBeGreaterThan(5.9);
  });
});
