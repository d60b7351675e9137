import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeWav, encodeWav, SAMPLE_RATE } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findUnpaddedUtterances,
  findUtterances,
  type Utterance,
} from '../../libs/speech/src/vad/utterances.js';
import { isVoiced } from '../../libs/speech/src/vad/is-voiced.js';
import { mixSounds, mixWithNoise } from '../support/mix-sounds.js';
import { makeMedia } from '../support/make-media.js';
import { dialogue } from '../support/material/index.js';

/** What docs/speech/guards.md says of people in noise; it has the table that is printed here. */

/** Optional: real readers, beside the checkout. */
const FOLDER = fileURLToPath(new URL('../../../shared/audio/librivox/', import.meta.url));
const present = existsSync(FOLDER);
if (!present) console.warn('Skipped, no reader is heard in noise: ../shared/audio/librivox is absent.');

const DECIBELS = [20, 10, 5, 0];
const NOISE = (color: string) => `anoisesrc=c=${color}:a=0.3:d=12:r=16000:seed=4`;
const HUM = [50, 100, 150, 250].map((hertz) => `${15 / hertz}*sin(2*PI*${hertz}*t)`).join('+');
const SOURCES = {
  'white noise': NOISE('white'),
  'pink noise': NOISE('pink'),
  'brown noise': NOISE('brown'),
  'mains hum': `aevalsrc='${HUM}':s=16000:d=12`,
};
/** What is done to the reader, noise and all. */
const WAYS: [name: string, ...args: string[]][] = [
  ['as it is'],
  ['by telephone', '-af', 'highpass=f=300:p=1,lowpass=f=3400,aresample=8000,aresample=16000'],
  ['clipped', '-af', 'volume=20dB'],
];
/** An utterance counts as said when somebody speaks in so much of it. */
const SAID = 0.5;
/** Of seconds that are said, those in utterances that are taken for noise: at 10 dB and more, and at less. */
const MOST_LOST = { little: 0.03, much: 0.12 };

describe.skipIf(!present)('isVoiced for a reader in noise', () => {
  let folder: string;
  let clips: Int16Array[];
  const noises = new Map<string, Int16Array>();
  const pcm = async (path: string) => decodeWav(await readFile(path));
  const createSamples = async (name: string, ...args: string[]) =>
    pcm(await makeMedia(folder, `${name}.wav`, ...args, '-ar', '16000', '-ac', '1', '-c:a', 'pcm_s16le'));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-voiced-'));
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.wav'));
    clips = await Promise.all(names.map(async (name) => withSilence(await pcm(join(FOLDER, name)))));
    for (const [name, source] of Object.entries(SOURCES))
      noises.set(name, await createSamples(name, '-f', 'lavfi', '-i', source));
    const talks = [901, 902, 903].map((seed) => dialogue({ seconds: 15, voices: 4, seed }));
    noises.set('babble', mixSounds(await Promise.all(talks.map(async (speech) => pcm((await speech).path)))));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(WAYS)('%s: nearly all utterances are voiced', async (way, ...args) => {
    for (const [kind, noise] of noises)
      for (const decibels of DECIBELS) {
        const measured = await Promise.all(
          clips.map(async (clip, at) => {
            const mixed = mixWithNoise(clip, noise, decibels);
            return measureLoss(clip, args.length === 0 ? mixed : await changed(mixed, `${at}`, args));
          }),
        );
        const [said, lost] = [sum(measured.map((each) => each.said)), sum(measured.map((each) => each.lost))];
        console.log(`${way}, ${kind} at ${decibels} dB: ${lost.toFixed(1)} of ${said.toFixed(1)} s lost`);
        expect(lost).toBeLessThanOrEqual(said * (decibels >= 10 ? MOST_LOST.little : MOST_LOST.much));
      }
  });

  async function changed(samples: Int16Array, name: string, args: string[]): Promise<Int16Array> {
    const path = join(folder, `${name}-before.wav`);
    await writeFile(path, encodeWav(samples));
    return createSamples(`${name}-after`, '-i', path, ...args);
  }
});

function withSilence(clip: Int16Array): Int16Array {
  const longer = new Int16Array(clip.length + 2 * SAMPLE_RATE);
  longer.set(clip, SAMPLE_RATE);
  return longer;
}

/** Seconds in utterances in which the clean recording has talk, and of them those that are taken for noise. */
function measureLoss(clean: Int16Array, mixed: Int16Array): { said: number; lost: number } {
  const speech = findUnpaddedUtterances(clean);
  const utterances = findUtterances(mixed, mixed.length / SAMPLE_RATE).filter(
    (utterance) => sum(speech.map((one) => common(one, utterance))) >= SAID * lengthOf(utterance),
  );
  const lost = utterances.filter((utterance) => !isVoiced(mixed, utterance));
  return { said: sum(utterances.map(lengthOf)), lost: sum(lost.map(lengthOf)) };
}

function common(a: Utterance, b: Utterance): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

function lengthOf({ start, end }: Utterance): number {
  return end - start;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
