import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChunkStageName } from '@app/jobs';
import {
  AuxiliaryModelError,
  type ChunkTranscription,
  type AuxiliaryModels,
  loadAuxiliaryModels,
  type SpeechEngine,
} from '@app/speech';
import type { TranscriptDocument } from '@app/transcript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TranscriptFileRenderer } from '../../apps/processor/src/aggregation/transcript-file-renderer.js';
import { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { HUM_HERTZ, VOICE_HERTZ } from '../../scripts/material/onnx/voices.mjs';
import { createJobWorld, type World } from '../support/job-world.js';
import { memoryStore as store, readStoredTranscript } from '../support/memory-store.js';
import { createAudioSource } from '../support/audio-source.js';

const MODELS = ['tiny-silero', 'tiny-pyannote', 'tiny-voices', 'tiny-punctuation', 'tiny-language'];
const [ANNA, BERT] = VOICE_HERTZ;
const LEVEL = 6_000;
/** A tone that stands for a Chinese word. */
const CHINESE_HERTZ = 3400;
const { signal } = new AbortController();

/** Two speakers of English in turn, a hum, and both again in Chinese. */
const SOUND = new SyntheticSoundBuilder()
  .silence(1)
  .tone(4, LEVEL, ANNA)
  .silence(0.5)
  .tone(4, LEVEL, BERT)
  .silence(0.5)
  .tone(3, LEVEL, ANNA)
  .silence(3)
  .tone(2, LEVEL, HUM_HERTZ)
  .silence(3)
  .tone(0.4, LEVEL, CHINESE_HERTZ)
  .tone(4, LEVEL, BERT)
  .silence(0.5)
  .tone(4, LEVEL, ANNA)
  .silence(1)
  .samples();
const TURNS = [
  { speaker: 'SPEAKER_1', language: 'en', start: 1, end: 5 },
  { speaker: 'SPEAKER_2', language: 'en', start: 5.5, end: 9.5 },
  { speaker: 'SPEAKER_1', language: 'en', start: 10, end: 13 },
  { speaker: 'SPEAKER_2', language: 'zh', start: 21.4, end: 25.4 },
  { speaker: 'SPEAKER_1', language: 'zh', start: 25.9, end: 29.9 },
];

/** Returns the same three words repeatedly, without a language. */
const engine = {
  capabilities: { languages: 'any', wordTimes: true, punctuation: false, vocabulary: false },
  identity: async () => ({ name: 'test', model: null, version: null }),
  transcribe: async ({ duration }): Promise<ChunkTranscription> => ({
    language: null,
    words: Array.from({ length: Math.floor(duration * 2) - 1 }, (_, at) => ({
      text: ['how', 'are', 'you'][at % 3] ?? '',
      start: at / 2 + 0.3,
      end: at / 2 + 0.7,
      confidence: null,
      language: null,
    })),
  }),
} as Pick<SpeechEngine, 'capabilities' | 'identity' | 'transcribe'> as SpeechEngine;

const source = createAudioSource(SOUND);
const options = {
  ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0 },
  concurrency: { chunk: 2 },
} as ProcessorOptions;

let folder: string;
let models: AuxiliaryModels;
let world: World;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-aids-'));
  for (const model of MODELS) await makeModel(folder, model);
  models = await loadAuxiliaryModels(folder, { hosts: 2 });
  world = await createJobWorld();
});
afterAll(async () => {
  await world.close();
  await models.close();
  await rm(folder, { recursive: true, force: true });
});

describe('auxiliary models in the pipeline', () => {
  it('auxiliary models detect speech, two speakers, two languages and sentence ends', async () => {
    const document = await transcribe(models);
    expect(document.warnings).toEqual([]);
    expect(document.speakers.map(({ id }) => id)).toEqual(['SPEAKER_1', 'SPEAKER_2']);
    expect(document.speakers[0]?.duration).toBeCloseTo(11, 0);
    expect(document.speakers[1]?.duration).toBeCloseTo(8, 0);
    expect(document.languages).toEqual(['en', 'zh']);
    for (const { start, end, speaker, language, words } of document.segments) {
      const turn = TURNS.find(
        (each) => each.start - 1 < start && end < each.end + 1 && each.speaker === speaker,
      );
      expect(turn, `${start} to ${end}: ${speaker}`).toMatchObject({ speaker, language });
      for (const word of words ?? []) expectSpeakerOfTurn(word);
    }
    expect(new Set(document.segments.map(({ start }) => findTurnAt(start)))).toEqual(new Set(TURNS));
    expect(document.segments[0]?.text).toBe('How are you?');
    expect(document.text).toContain('How are you？');
    expect(document.segments.filter(({ start }) => start > 14 && start < 20)).toEqual([]);
  });

  it('the transcript completes when every auxiliary model fails', async () => {
    const document = await transcribe({
      speechDetector: { detect: failingModel },
      speakerFeatureExtractor: { extract: failingModel },
      punctuator: { predictMarks: failingModel },
      languageIdentifier: { identify: failingModel },
      close: async () => undefined,
    });
    expect(document.text).toMatch(/how are you/i);
    expect(document.languages).toEqual([]);
    expect(document.speakers.length).toBeGreaterThan(0);
    expect(document.warnings.map(({ code }) => code)).toEqual(['punctuation_unavailable']);
  });
});

const failingModel = () => Promise.reject(new AuxiliaryModelError('broken', { cause: 'in the test' }));

async function transcribe(jobModels: AuxiliaryModels): Promise<TranscriptDocument> {
  const jobId = await world.newJob();
  const preprocess = new PreprocessStage(source, store, world.hooks, options, jobModels, engine);
  await world.run(jobId, 'preprocess', signal, (...args) => preprocess.work(...args));
  const chunks = await world.rows(`SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk'`, jobId);
  const chunk = new ChunkStage(store, engine, jobModels);
  for (const index of chunks.keys()) {
    await world.run(jobId, buildChunkStageName(index), signal, (stage, stop) => chunk.work(stage, stop));
  }
  const aggregation = new AggregationStage(
    world.dataSource,
    store,
    engine,
    world.hooks,
    jobModels,
    new TranscriptFileRenderer(),
  );
  await world.run(jobId, 'aggregation', signal, (stage, stop) => aggregation.work(stage, stop));
  return readStoredTranscript(world, jobId);
}

function findTurnAt(seconds: number): (typeof TURNS)[number] | undefined {
  return TURNS.findLast(({ start }) => start - 0.5 <= seconds);
}

/** A word that lies within a turn has the speaker of that turn. */
function expectSpeakerOfTurn(word: { start: number; end: number; speaker: string | null }): void {
  const turn = TURNS.find(({ start, end }) => start + 0.1 < word.start && word.end < end - 0.1);
  if (turn) expect(word, `${word.start} to ${word.end}`).toMatchObject({ speaker: turn.speaker });
}
