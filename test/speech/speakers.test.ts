import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { decodeWav, encodeWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../scripts/material/seeded-random.mjs';
import { dialogue, inFormat, noise } from '../support/material/index.js';
import { type SpokenTurn, computeDiarizationErrors } from '../support/md-eval.js';
import { diarizeFile } from '../support/diarize-file.js';

const run = promisify(execFile);

const SAMPLE = new URL('../../assets/sample/', import.meta.url);
/** Optional recordings of a human reader, outside the repository. */
const READER = fileURLToPath(new URL('../../../shared/audio/librivox/', import.meta.url));
const CLIPS = ['0870', '0880', '0890', '0920', '0930'];

/** Speaker errors in percent; measured below 0.3 with the collar and below 5 without. */
const MAX_ERROR_RATES = { collar: 3, none: 8, quick: 10 };

describe('diarization of dialogues', () => {
  it('the two speakers of the bundled sample are separated', async () => {
    const sheet = JSON.parse(readFileSync(new URL('dialogue.json', SAMPLE), 'utf8')) as {
      turns: SpokenTurn[];
    };
    await expectDiarization(fileURLToPath(new URL('dialogue.mp3', SAMPLE)), sheet.turns);
  });

  it.each([1, 2, 3, 4] as const)('%d speakers of two minutes are separated', async (voices) => {
    const { path, turns } = await dialogue({ seconds: 120, voices, seed: 201 });
    await expectDiarization(path, turns);
  });

  it.each(['mp3', 'telephone'] as const)('three speakers of a %s recording are separated', async (format) => {
    const { path, turns } = await dialogue({ seconds: 120, voices: 3, seed: 201 });
    await expectDiarization(await inFormat(path, format), turns);
  });
});

describe('diarization in noise', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-speakers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // When the noise is counted as voice, only two are found.
  it('four speakers are separated', async () => {
    const { path: spoken, turns, duration } = await dialogue({ seconds: 120, voices: 4, seed: 201 });
    const hiss = decodeWav(await readFile(await noise(duration, { level: 0.02 })));
    const sound = decodeWav(await readFile(spoken)).map((sample, index) => sample + (hiss[index] ?? 0));
    const path = join(folder, 'noisy.wav');
    await writeFile(path, encodeWav(sound));
    const result = await diarizeFile(path);
    const { percent } = await computeDiarizationErrors(turns, result.turns, 0.25);
    console.log(`${result.speakers} of 4 in noise, errors ${percent.toFixed(2)} %`);
    expect(result.speakers).toBe(4);
    expect(percent).toBeLessThan(MAX_ERROR_RATES.quick);
  });
});

describe('diarization without pauses', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-speakers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('speakers are separated by their voices alone', async () => {
    const { path: spoken, turns } = await dialogue({ seconds: 120, voices: 3, seed: 201 });
    const sound = decodeWav(await readFile(spoken));
    const parts = turns.map((turn) => ({ speaker: turn.voice, samples: extractTurn(sound, turn) }));
    const path = join(folder, 'breathless.wav');
    const reference = await writeParts(path, parts, 0.05);
    const result = await diarizeFile(path);
    expect(result.speakers).toBe(3);
    const { percent } = await computeDiarizationErrors(reference, result.turns, 0.25);
    expect(percent).toBeLessThan(MAX_ERROR_RATES.collar);
  });
});

describe('diarization of one lively voice', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-speakers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the voice is one speaker, whatever its pitch, speed and volume', async () => {
    const { turns } = await dialogue({ seconds: 300, voices: 4, seed: 201 });
    const random = new SeededRandom(9);
    const parts: Part[] = [];
    for (const { text } of turns) {
      const pause = new Int16Array(Math.round(random.between(0.05, 0.6) * 16_000));
      parts.push({
        speaker: 'lively',
        samples: concatenate([await speakExpressively(folder, text, random), pause]),
      });
    }
    const path = join(folder, 'lively.wav');
    await writeParts(path, parts, 0);
    expect((await diarizeFile(path)).speakers).toBe(1);
  });
});

describe('diarization of rapid turns', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-speakers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // The turns are cut at any point and joined without a pause, so that only the voice differs.
  it.each([2, 3, 4] as const)('%d speakers with turns of three seconds are separated', async (voices) => {
    const { path: spoken, turns } = await dialogue({ seconds: 120, voices, seed: 201 });
    const sound = decodeWav(await readFile(spoken));
    const parts = alternateSpeakers(
      turns.map((turn) => ({ speaker: turn.voice, samples: extractTurn(sound, turn) })),
    );
    const path = join(folder, `${voices}.wav`);
    const reference = await writeParts(path, parts, 0);
    const result = await diarizeFile(path);
    const { percent } = await computeDiarizationErrors(reference, result.turns, 0.25);
    console.log(`${result.speakers} of ${voices} in quick turns, errors ${percent.toFixed(2)} %`);
    expect(result.speakers).toBe(voices);
    expect(percent).toBeLessThan(MAX_ERROR_RATES.quick);
  });
});

const present = existsSync(READER);
if (!present) console.warn('Skipped a human reader: ../shared/audio/librivox does not exist.');

describe.skipIf(!present)('diarization of a human reader', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-speakers-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the reader is one speaker', async () => {
    const path = join(folder, 'reader.wav');
    await writeFile(path, encodeWav(concatenate(await readClips())));
    expect((await diarizeFile(path)).speakers).toBe(1);
  });

  it('the reader is distinct from the synthetic voices', async () => {
    const { path: spoken, turns } = await dialogue({ seconds: 120, voices: 4, seed: 201 });
    const sound = decodeWav(await readFile(spoken));
    for (const voice of new Set(turns.map((turn) => turn.voice))) {
      const excerpts = turns.filter((turn) => turn.voice === voice).map((turn) => extractTurn(sound, turn));
      const parts = (await readClips()).flatMap((clip, index) => [
        { speaker: 'reader', samples: clip },
        { speaker: voice, samples: excerpts[index] ?? new Int16Array(0) },
      ]);
      const path = join(folder, `${voice}.wav`);
      const reference = await writeParts(path, parts);
      const result = await diarizeFile(path);
      expect(result.speakers, voice).toBe(2);
      const { percent } = await computeDiarizationErrors(reference, result.turns, 0.25);
      expect(percent, voice).toBeLessThan(MAX_ERROR_RATES.collar);
    }
  });
});

/** Uses espeak-ng, because its pitch, speed and loudness can be set. */
async function speakExpressively(folder: string, text: string, random: SeededRandom): Promise<Int16Array> {
  const [excerpts, plain] = [join(folder, 'said.wav'), join(folder, 'plain.wav')];
  const randomArgument = (least: number, most: number): string =>
    String(Math.round(random.between(least, most)));
  const voiceArguments = [
    '-p',
    randomArgument(35, 65),
    '-s',
    randomArgument(140, 190),
    '-a',
    randomArgument(50, 120),
  ];
  await run('espeak-ng', ['-v', 'en-us+f2', ...voiceArguments, '-w', excerpts, text]);
  await run('ffmpeg', ['-v', 'error', '-y', '-i', excerpts, '-ar', '16000', plain]);
  return decodeWav(await readFile(plain));
}

async function expectDiarization(path: string, reference: readonly SpokenTurn[]): Promise<void> {
  const result = await diarizeFile(path);
  const strict = await computeDiarizationErrors(reference, result.turns, 0);
  const { percent } = await computeDiarizationErrors(reference, result.turns, 0.25);
  console.log(
    `${result.speakers} speakers, errors ${percent.toFixed(2)} %, ${strict.percent.toFixed(2)} % without collar`,
  );
  expect(result.speakers).toBe(new Set(reference.map(({ speaker }) => speaker)).size);
  expect(percent).toBeLessThan(MAX_ERROR_RATES.collar);
  expect(strict.percent).toBeLessThan(MAX_ERROR_RATES.none);
}

function readClips(): Promise<Int16Array[]> {
  return Promise.all(CLIPS.map(async (clip) => decodeWav(await readFile(`${READER}${clip}.wav`))));
}

function extractTurn(sound: Int16Array, { start, end }: SpokenTurn): Int16Array {
  return sound.slice(Math.round(start * 16_000), Math.round(end * 16_000));
}

interface Part {
  speaker: string;
  samples: Int16Array;
}

/** Pieces of at most three seconds, of all speakers in rotation, until the first has no more. */
function alternateSpeakers(parts: readonly Part[]): Part[] {
  const maxSamples = 3 * 16_000;
  const speakers = [...new Set(parts.map(({ speaker }) => speaker))];
  const pieces = speakers.map((own) =>
    parts
      .filter(({ speaker }) => speaker === own)
      .flatMap(({ speaker, samples }) =>
        Array.from({ length: Math.ceil(samples.length / maxSamples) }, (_, index) => ({
          speaker,
          samples: samples.slice(index * maxSamples, (index + 1) * maxSamples),
        })),
      ),
  );
  const rounds = Math.min(...pieces.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    pieces.flatMap((own) => own.slice(round, round + 1)),
  ).flat();
}

/** Writes the parts with `gap` seconds between them. @returns their turns */
async function writeParts(path: string, parts: readonly Part[], gap = 0.5): Promise<SpokenTurn[]> {
  const pause = new Int16Array(Math.round(gap * 16_000));
  const turns: SpokenTurn[] = [];
  let seconds = gap;
  for (const { speaker, samples } of parts) {
    turns.push({ speaker, start: seconds, end: seconds + samples.length / 16_000 });
    seconds += samples.length / 16_000 + gap;
  }
  await writeFile(path, encodeWav(concatenate([pause, ...parts.flatMap(({ samples }) => [samples, pause])])));
  return turns.filter(({ start, end }) => end > start);
}

function concatenate(parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
