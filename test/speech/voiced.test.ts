import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeWav, encodeWav, SAMPLE_RATE } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findUnpaddedUtterances,
  detectPaddedUtterances,
  type Utterance,
} from '../../libs/speech/src/vad/utterances.js';
import { isUtteranceVoiced } from '../../libs/speech/src/vad/is-utterance-voiced.js';
import { mixSounds, mixWithNoise } from '../support/mix-sounds.js';
import { makeMedia } from '../support/make-media.js';
import { dialogue } from '../support/material/index.js';

/** docs/speech/guards.md contains the printed table. */

/** Optional recordings of human readers, outside the repository. */
const FOLDER = fileURLToPath(new URL('../../../shared/audio/librivox/', import.meta.url));
const present = existsSync(FOLDER);
if (!present) console.warn('Skipped readers in noise: ../shared/audio/librivox does not exist.');

const DECIBELS = [20, 10, 5, 0];
const createNoise = (color: string) => `anoisesrc=c=${color}:a=0.3:d=12:r=16000:seed=4`;
const HUM = [50, 100, 150, 250].map((hertz) => `${15 / hertz}*sin(2*PI*${hertz}*t)`).join('+');
const SOURCES = {
  'white noise': createNoise('white'),
  'pink noise': createNoise('pink'),
  'brown noise': createNoise('brown'),
  'mains hum': `aevalsrc='${HUM}':s=16000:d=12`,
};
/** Filters that are applied to the reader and the noise. */
const FILTERS: [name: string, ...args: string[]][] = [
  ['unchanged'],
  ['by telephone', '-af', 'highpass=f=300:p=1,lowpass=f=3400,aresample=8000,aresample=16000'],
  ['clipped', '-af', 'volume=20dB'],
];
/** An utterance counts as speech when it contains at least this share of speech. */
const MIN_SPEECH_SHARE = 0.5;
/** Share of speech in utterances that are classified as noise, by signal-to-noise ratio. */
const MAX_LOST_SHARE = { from10Decibels: 0.03, below10Decibels: 0.12 };

describe.skipIf(!present)('isUtteranceVoiced for a reader in noise', () => {
  let folder: string;
  let clips: Int16Array[];
  const noises = new Map<string, Int16Array>();
  const readSamples = async (path: string) => decodeWav(await readFile(path));
  const createSamples = async (name: string, ...args: string[]) =>
    readSamples(
      await makeMedia(folder, `${name}.wav`, ...args, '-ar', '16000', '-ac', '1', '-c:a', 'pcm_s16le'),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-voiced-'));
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.wav'));
    clips = await Promise.all(
      names.map(async (name) => padWithSilence(await readSamples(join(FOLDER, name)))),
    );
    for (const [name, source] of Object.entries(SOURCES))
      noises.set(name, await createSamples(name, '-f', 'lavfi', '-i', source));
    const talks = [901, 902, 903].map((seed) => dialogue({ seconds: 15, voices: 4, seed }));
    noises.set(
      'babble',
      mixSounds(await Promise.all(talks.map(async (speech) => readSamples((await speech).path)))),
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(FILTERS)('%s: nearly all utterances are voiced', async (way, ...args) => {
    for (const [kind, noise] of noises)
      for (const decibels of DECIBELS) {
        const measured = await Promise.all(
          clips.map(async (clip, at) => {
            const mixed = mixWithNoise(clip, noise, decibels);
            return measureLoss(clip, args.length === 0 ? mixed : await applyFilter(mixed, `${at}`, args));
          }),
        );
        const spoken = sum(measured.map((loss) => loss.spoken));
        const lost = sum(measured.map((loss) => loss.lost));
        console.log(`${way}, ${kind} at ${decibels} dB: ${lost.toFixed(1)} of ${spoken.toFixed(1)} s lost`);
        expect(lost).toBeLessThanOrEqual(
          spoken * (decibels >= 10 ? MAX_LOST_SHARE.from10Decibels : MAX_LOST_SHARE.below10Decibels),
        );
      }
  });

  async function applyFilter(samples: Int16Array, name: string, args: string[]): Promise<Int16Array> {
    const path = join(folder, `${name}-before.wav`);
    await writeFile(path, encodeWav(samples));
    return createSamples(`${name}-after`, '-i', path, ...args);
  }
});

function padWithSilence(clip: Int16Array): Int16Array {
  const longer = new Int16Array(clip.length + 2 * SAMPLE_RATE);
  longer.set(clip, SAMPLE_RATE);
  return longer;
}

/** Seconds of utterances with speech in the clean recording, and how many of them are classified as noise. */
function measureLoss(clean: Int16Array, mixed: Int16Array): { spoken: number; lost: number } {
  const speech = findUnpaddedUtterances(clean);
  const utterances = detectPaddedUtterances(mixed, mixed.length / SAMPLE_RATE).filter(
    (utterance) =>
      sum(speech.map((one) => overlapOf(one, utterance))) >= MIN_SPEECH_SHARE * lengthOf(utterance),
  );
  const lost = utterances.filter((utterance) => !isUtteranceVoiced(mixed, utterance));
  return { spoken: sum(utterances.map(lengthOf)), lost: sum(lost.map(lengthOf)) };
}

function overlapOf(a: Utterance, b: Utterance): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

function lengthOf({ start, end }: Utterance): number {
  return end - start;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
