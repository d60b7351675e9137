import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AuxiliaryModelError,
  type ChunkSpeakerFeatures,
  chunkAudio,
  encodeWav,
  type AuxiliaryModels,
  loadAuxiliaryModels,
  diarizeFeatures,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SyntheticSound } from '../../libs/speech/src/vad/testing/synthetic-sound.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { speak } from '../../scripts/material/onnx/tones.mjs';
import { HUM_HERTZ, VOICES } from '../../scripts/material/onnx/voices.mjs';

const { signal } = new AbortController();
const ALL = ['tiny-silero', 'tiny-pyannote', 'tiny-voices', 'tiny-punctuation', 'tiny-language'];
const [ANNA, BERT, CARL] = VOICES;
const LOUD = 6_000;

let folder: string;
let aids: AuxiliaryModels;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-aids-'));
  aids = await aidsOf('all', ALL);
});
afterAll(async () => {
  await aids.close();
  await rm(folder, { recursive: true, force: true });
});

async function aidsOf(name: string, models: readonly string[]): Promise<AuxiliaryModels> {
  for (const model of models) await makeModel(join(folder, name), model);
  return loadAuxiliaryModels(join(folder, name), { hosts: 1 });
}

async function passingAids(name: string, models: readonly string[]): Promise<AuxiliaryModels> {
  const passing = await aidsOf(name, models);
  onTestFinished(() => passing.close());
  return passing;
}

describe('speech detection by a model', () => {
  const sound = new SyntheticSound()
    .silence(1)
    .tone(4, LOUD, ANNA)
    .silence(3)
    .tone(2, LOUD, HUM_HERTZ)
    .silence(1)
    .tone(2, LOUD, HUM_HERTZ)
    .silence(7)
    .tone(2, LOUD, BERT)
    .silence(22)
    .tone(1, LOUD, ANNA)
    .samples();

  it.each(['tiny-silero', 'tiny-silero-four'])('loud sound without speech is dropped: %s', async (model) => {
    const { speechDetector: voiceActivity } = await passingAids(model, [model]);
    const path = join(folder, `${model}.wav`);
    await writeFile(path, encodeWav(sound));
    const chunks: { start: number; end: number }[] = [];
    const { speechSeconds } = await chunkAudio(
      { path, signal, speechDetector: voiceActivity, targetSeconds: 10 },
      async ({ start, end }) => void chunks.push({ start, end }),
    );
    expect(speechSeconds).toBeGreaterThan(6.8);
    expect(speechSeconds).toBeLessThan(7.6);
    // What is kept around speech is at most 0.3 s on each side, and speech is found to a window or two.
    for (const [index, [start, end]] of [
      [1, 5],
      [20, 22],
      [44, 45],
    ].entries()) {
      expect(chunks[index]?.start).toBeGreaterThan((start ?? 0) - 0.45);
      expect(chunks[index]?.start).toBeLessThanOrEqual(start ?? 0);
      expect(chunks[index]?.end).toBeGreaterThanOrEqual((end ?? 0) - 0.05);
      expect(chunks[index]?.end).toBeLessThan((end ?? 0) + 0.5);
    }
    expect(chunks).toHaveLength(3);
  });

  it('without a model there is no detector, and loud hum counts as speech', async () => {
    const { speechDetector: voiceActivity } = await passingAids('none', []);
    expect(voiceActivity).toBeNull();
    const path = join(folder, 'hum.wav');
    await writeFile(path, encodeWav(sound));
    const chunks: { start: number; end: number }[] = [];
    await chunkAudio(
      { path, signal, speechDetector: voiceActivity },
      async (chunk) => void chunks.push(chunk),
    );
    expect(chunks.filter(({ start, end }) => start < 9 && end > 9)).toHaveLength(1);
  });
});

describe('diarization by models', () => {
  /** Chunks one after the other with half a minute from start to start. */
  async function diarizeChunks(...sounds: Int16Array[]) {
    const chunks: ChunkSpeakerFeatures[] = [];
    for (const [index, samples] of sounds.entries()) {
      const voices = await aids.speakerFeatureExtractor?.extract(samples, signal);
      chunks.push({ start: index * 30, voices: voices ?? '' });
    }
    const turns = await diarizeFeatures(chunks, signal);
    return turns.map(({ speaker, start, end }) => [speaker, round(start), round(end)]);
  }

  it('speakers keep their number when they appear in another order', async () => {
    const first = new SyntheticSound().tone(4, LOUD, BERT).silence(0.5).tone(5, LOUD, ANNA).samples();
    const second = new SyntheticSound().tone(6, LOUD, ANNA).silence(0.5).tone(7, LOUD, CARL).samples();
    const third = new SyntheticSound().tone(2, LOUD, CARL).silence(0.5).tone(3, LOUD, BERT).samples();
    expect(await diarizeChunks(first, second, third)).toEqual([
      [0, 0, 4],
      [1, 4.5, 9.5],
      [1, 30, 36],
      [2, 36.5, 43.5],
      [2, 60, 62],
      [0, 62.5, 65.5],
    ]);
  });

  it('one voice at several volumes is one speaker', async () => {
    const louder = new SyntheticSound()
      .tone(6, LOUD, ANNA)
      .silence(0.4)
      .tone(7, LOUD / 3, ANNA)
      .samples();
    const turns = await diarizeChunks(louder, louder, louder);
    expect(new Set(turns.map(([speaker]) => speaker))).toEqual(new Set([0]));
  });

  it('overlapping and very short turns are found', async () => {
    const anna = new SyntheticSound()
      .tone(8, LOUD, ANNA)
      .silence(5)
      .tone(0.25, LOUD, ANNA)
      .silence(2)
      .samples();
    const bert = new SyntheticSound().silence(6).tone(6, LOUD, BERT).silence(3.25).samples();
    const both = anna.map((sample, at) => sample + (bert[at] ?? 0));
    expect(await diarizeChunks(both)).toEqual([
      [0, 0, 8],
      [1, 6, 12],
      [0, 13, 13.3],
    ]);
  });

  it('silence has no speakers', async () => {
    expect(await diarizeChunks(new Int16Array(160_000), new Int16Array(0))).toEqual([]);
  });
});

describe('punctuation by a model', () => {
  const wordsOf = (line: string, language: string | null, from = 0) =>
    line.split(' ').map((text, at) => ({ text, start: from + at, end: from + at + 0.9, language }));

  it('words of supported languages are punctuated and others skipped', async () => {
    const words = [
      ...wordsOf('hello there how are you', 'en-GB'),
      ...wordsOf('ganz fine danke', 'de', 5),
      ...wordsOf('你 好 吗', 'zh', 8),
    ];
    expect(await aids.punctuator?.predictMarks(words, signal)).toEqual([
      ...[null, ',', null, null, '?'],
      ...[undefined, undefined, undefined],
      ...[null, '.', '?'],
    ]);
    expect(await aids.punctuator?.predictMarks([], signal)).toEqual([]);
  });

  it('a long text is punctuated block by block', async () => {
    const line = Array.from({ length: 200 }, () => 'hello there i am fine').join(' ');
    const marks = await aids.punctuator?.predictMarks(wordsOf(line, 'en'), signal);
    expect(marks).toEqual(Array.from({ length: 200 }, () => [null, ',', null, null, '.']).flat());
  });
});

describe('language identification by a model', () => {
  it('the language of each audio is identified', async () => {
    expect(await aids.languageIdentifier?.identify(speak(['▁please', '▁call']), signal)).toBe('en');
    expect(await aids.languageIdentifier?.identify(speak(['你', '你']), signal)).toBe('zh');
  });

  it('only the first half minute of longer audio is used', async () => {
    const long = new Int16Array(31 * 16_000);
    long.set(speak(['你', '你']));
    expect(await aids.languageIdentifier?.identify(long, signal)).toBe('zh');
  });
});

describe('failing auxiliary models', () => {
  it('the error names the model, and only the request fails', async () => {
    const broken = await passingAids('broken', ALL);
    for (const model of ALL) await truncate(join(folder, 'broken', model, fileIn(model)), 100);
    const silence = new Int16Array(16_000);
    const words = [{ text: 'you', start: 0, end: 1, language: 'en' }];
    const attempts: [string, Promise<unknown> | undefined][] = [
      ['tiny-silero', broken.speechDetector?.detect(silence, signal)],
      ['tiny-voices', broken.speakerFeatureExtractor?.extract(silence, signal)],
      ['tiny-punctuation', broken.punctuator?.predictMarks(words, signal)],
      ['tiny-language', broken.languageIdentifier?.identify(silence, signal)],
    ];
    for (const [model, attempt] of attempts) {
      const error = await attempt?.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AuxiliaryModelError);
      expect(error).toMatchObject({ model });
    }
    expect(await aids.languageIdentifier?.identify(silence, signal)).toBe('en');
  });

  it('an abort ends the request', async () => {
    const aborted = AbortSignal.abort(new Error('the lease is lost'));
    await expect(aids.speakerFeatureExtractor?.extract(new Int16Array(16_000), aborted)).rejects.toThrow(
      'the lease is lost',
    );
  });
});

function fileIn(model: string): string {
  return model === 'tiny-language' ? 'encoder.onnx' : 'model.onnx';
}

/** To a tenth: a frame of the segmentation is 17 ms long and looks at 62 ms. */
function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
