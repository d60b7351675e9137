import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spoken, wordsOf } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { expectDocument } from '../e2e/support/document.js';
import { Service } from '../e2e/support/service.js';
import { makeMedia } from '../support/make-media.js';

/** The slow part of what docs/speech/guards.md says; the quick one is `test/integration/guards.test.ts`. */

const MINUTES = 60_000;
const DAY = 24 * 3600;
const SAID = 'I can see the library from the small mountain.';
let service: Service;
let client: Client;
let folder: string;
let plain: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-guards-'));
  plain = join(folder, 'plain.wav');
  await writeFile(plain, await spoken(SAID));
  service = await Service.start();
  client = await service.client();
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function transcribed(path: string): Promise<ReturnType<typeof expectDocument>> {
  const { job_id, download_url } = await client.submit(new Uint8Array(await readFile(path)));
  expect((await client.events(job_id)).at(-1)).toMatchObject({ name: 'completed' });
  return expectDocument((await client.download(download_url)).text, job_id);
}

const NOTE = '262*pow(2,mod(floor(t*3)*7,12)/12)';
/** Plucked notes of three harmonics over a drum, with a rest in every bar. */
const TUNE = [
  `(sin(2*PI*t*${NOTE})+0.5*sin(4*PI*t*${NOTE})+0.3*sin(6*PI*t*${NOTE}))*exp(-14*mod(t,1/3))*0.3`,
  '(random(0)-0.5)*exp(-40*mod(t,2/3))*0.5',
].join('+');
const GUSTS = 'lowpass=f=500,tremolo=f=0.3:d=0.8,tremolo=f=0.11:d=0.6';

describe('sound that is as loud and restless as speech', () => {
  it.each([
    ['wind', `anoisesrc=c=pink:a=0.5:d=6:seed=1,${GUSTS}`],
    ['music', `aevalsrc='(${TUNE})*lt(mod(t,4),3.2)':d=6`],
  ])(
    '%s: the embedded engine hears no words in it',
    async (name, source) => {
      const { text } = await transcribed(await makeMedia(folder, `${name}.wav`, '-f', 'lavfi', '-i', source));
      expect(text).toBe('');
    },
    5 * MINUTES,
  );
});

describe('speech that suffered', () => {
  it.each([
    ['a telephone', 5, ['-ar', '8000', '-c:a', 'pcm_mulaw']],
    ['an offset', 8, ['-af', 'dcshift=0.3']],
    ['fifty decibels too little', 7, ['-af', 'volume=-50dB']],
    ['channels of opposite phase', 8, ['-af', 'pan=stereo|c0=c0|c1=-1*c0']],
  ])(
    '%s: at least %d of nine words are heard',
    async (name, least, args) => {
      const heard = wordsOf(
        (await transcribed(await makeMedia(folder, `${name}.wav`, '-i', plain, ...args))).text,
      );
      expect(wordsOf(SAID).filter((word) => heard.includes(word)).length).toBeGreaterThanOrEqual(least);
    },
    5 * MINUTES,
  );
});

describe('a day of silence', () => {
  it(
    'in a FLAC of a few megabytes is over within minutes, and is empty',
    async () => {
      const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', String(DAY)];
      const path = await makeMedia(folder, 'day.flac', ...silence, '-compression_level', '0');
      const before = performance.now();
      const { text, duration } = await transcribed(path);
      const seconds = (performance.now() - before) / 1000;
      console.log(`24 h of silence: ${seconds.toFixed(0)} s`);
      expect([text, duration]).toEqual(['', DAY]);
      expect(seconds).toBeLessThan(300);
    },
    10 * MINUTES,
  );
});
