import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AuxiliaryModelError,
  type ChunkSpeakerFeatures,
  type SpeakerCountLimits,
  chunkAudioToSink,
  encodeWav,
  type AuxiliaryModels,
  createAuxiliaryModelsFromFolder,
  diarizeFeatures,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { renderPieces } from '../../scripts/material/onnx/tones.mjs';
import { HUM_HERTZ, VOICE_HERTZ } from '../../scripts/material/onnx/voices.mjs';

const { signal } = new AbortController();
const ALL_MODELS = ['tiny-silero', 'tiny-pyannote', 'tiny-voices', 'tiny-punctuation', 'tiny-language'];
const [ANNA, BERT, CARL] = VOICE_HERTZ;
const LEVEL = 6_000;

let folder: string;
let models: AuxiliaryModels;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-aids-'));
  models = await loadModels('all', ALL_MODELS);
});
afterAll(async () => {
  await models.close();
  await rm(folder, { recursive: true, force: true });
});

async function loadModels(name: string, modelNames: readonly string[]): Promise<AuxiliaryModels> {
  for (const model of modelNames) await makeModel(join(folder, name), model);
  return createAuxiliaryModelsFromFolder(join(folder, name), { hosts: 1 });
}

async function loadModelsForTest(name: string, modelNames: readonly string[]): Promise<AuxiliaryModels> {
  const passing = await loadModels(name, modelNames);
  onTestFinished(() => passing.close());
  return passing;
}

describe('speech detection by a model', () => {
  const sound = new SyntheticSoundBuilder()
    .silence(1)
    .tone(4, LEVEL, ANNA)
    .silence(3)
    .tone(2, LEVEL, HUM_HERTZ)
    .silence(1)
    .tone(2, LEVEL, HUM_HERTZ)
    .silence(7)
    .tone(2, LEVEL, BERT)
    .silence(22)
    .tone(1, LEVEL, ANNA)
    .samples();

  it.each(['tiny-silero', 'tiny-silero-four'])('loud sound without speech is dropped: %s', async (model) => {
    const { speechDetector } = await loadModelsForTest(model, [model]);
    const path = join(folder, `${model}.wav`);
    await writeFile(path, encodeWav(sound));
    const chunks: { start: number; end: number }[] = [];
    const { speechSeconds } = await chunkAudioToSink(
      { path, signal, speechDetector, targetSeconds: 10 },
      async ({ start, end }) => void chunks.push({ start, end }),
    );
    expect(speechSeconds).toBeGreaterThan(6.8);
    expect(speechSeconds).toBeLessThan(7.6);
    // Padding is at most 0.3 s on each side, and the detection is accurate to one or two windows.
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
    const { speechDetector } = await loadModelsForTest('none', []);
    expect(speechDetector).toBeNull();
    const path = join(folder, 'hum.wav');
    await writeFile(path, encodeWav(sound));
    const chunks: { start: number; end: number }[] = [];
    await chunkAudioToSink({ path, signal, speechDetector }, async (chunk) => void chunks.push(chunk));
    expect(chunks.filter(({ start, end }) => start < 9 && end > 9)).toHaveLength(1);
  });
});

describe('diarization by models', () => {
  /** Diarizes sounds as consecutive chunks that start every 30 s. */
  async function diarizeChunks(...sounds: Int16Array[]) {
    const chunks: ChunkSpeakerFeatures[] = [];
    for (const [index, samples] of sounds.entries()) {
      const voices = await models.speakerFeatureExtractor?.extract(samples, signal);
      chunks.push({ start: index * 30, speakerFeatures: voices ?? '' });
    }
    const turns = await diarizeFeatures(chunks, signal);
    return turns.map(({ speaker, start, end }) => [speaker, roundToTenth(start), roundToTenth(end)]);
  }

  it('speakers keep their number when they appear in another order', async () => {
    const first = new SyntheticSoundBuilder()
      .tone(4, LEVEL, BERT)
      .silence(0.5)
      .tone(5, LEVEL, ANNA)
      .samples();
    const second = new SyntheticSoundBuilder()
      .tone(6, LEVEL, ANNA)
      .silence(0.5)
      .tone(7, LEVEL, CARL)
      .samples();
    const third = new SyntheticSoundBuilder()
      .tone(2, LEVEL, CARL)
      .silence(0.5)
      .tone(3, LEVEL, BERT)
      .samples();
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
    const louder = new SyntheticSoundBuilder()
      .tone(6, LEVEL, ANNA)
      .silence(0.4)
      .tone(7, LEVEL / 3, ANNA)
      .samples();
    const turns = await diarizeChunks(louder, louder, louder);
    expect(new Set(turns.map(([speaker]) => speaker))).toEqual(new Set([0]));
  });

  it('overlapping and very short turns are found', async () => {
    const anna = new SyntheticSoundBuilder()
      .tone(8, LEVEL, ANNA)
      .silence(5)
      .tone(0.25, LEVEL, ANNA)
      .silence(2)
      .samples();
    const bert = new SyntheticSoundBuilder().silence(6).tone(6, LEVEL, BERT).silence(3.25).samples();
    const both = anna.map((sample, at) => sample + (bert[at] ?? 0));
    expect(await diarizeChunks(both)).toEqual([
      [0, 0, 8],
      [1, 6, 12],
      [0, 13, 13.3],
    ]);
  });

  it('two voices are one or two speakers, as the caller says', async () => {
    const both = new SyntheticSoundBuilder()
      .tone(6, LEVEL, ANNA)
      .silence(0.5)
      .tone(7, LEVEL, BERT)
      .silence(0.5)
      .tone(5, LEVEL, ANNA)
      .samples();
    const count = async (limits: SpeakerCountLimits) => {
      const chunks: ChunkSpeakerFeatures[] = [];
      for (const start of [0, 30, 60]) {
        const voices = await models.speakerFeatureExtractor?.extract(both, signal, limits);
        chunks.push({ start, speakerFeatures: voices ?? '' });
      }
      return new Set((await diarizeFeatures(chunks, signal, limits)).map(({ speaker }) => speaker)).size;
    };
    for (const exact of [1, 2]) expect(await count({ min: exact, max: exact })).toBe(exact);
    expect(await count({ min: 1, max: 8 })).toBe(2);
  });

  it('silence has no speakers', async () => {
    expect(await diarizeChunks(new Int16Array(160_000), new Int16Array(0))).toEqual([]);
  });
});

describe('language identification by a model', () => {
  it('the language of each audio is identified', async () => {
    expect(await models.languageIdentifier?.identify(renderPieces(['▁please', '▁call']), signal)).toBe('en');
    expect(await models.languageIdentifier?.identify(renderPieces(['你', '你']), signal)).toBe('zh');
  });

  it('only the first half minute of longer audio is used', async () => {
    const long = new Int16Array(31 * 16_000);
    long.set(renderPieces(['你', '你']));
    expect(await models.languageIdentifier?.identify(long, signal)).toBe('zh');
  });
});

describe('failing auxiliary models', () => {
  it('the error names the model, and only the request fails', async () => {
    const broken = await loadModelsForTest('broken', ALL_MODELS);
    for (const model of ALL_MODELS) await truncate(join(folder, 'broken', model, modelFileOf(model)), 100);
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
    expect(await models.languageIdentifier?.identify(silence, signal)).toBe('en');
  });

  it('an abort ends the request', async () => {
    const aborted = AbortSignal.abort(new Error('the lease is lost'));
    await expect(models.speakerFeatureExtractor?.extract(new Int16Array(16_000), aborted)).rejects.toThrow(
      'the lease is lost',
    );
  });
});

function modelFileOf(model: string): string {
  return model === 'tiny-language' ? 'encoder.onnx' : 'model.onnx';
}

/** The segmentation is not more accurate: a frame of 17 ms covers 62 ms. */
function roundToTenth(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
