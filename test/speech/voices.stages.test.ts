import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AuxiliaryModelError,
  type ChunkTranscription,
  type AuxiliaryModels,
  createAuxiliaryModelsFromFolder,
  type SpeechEngine,
} from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { HUM_HERTZ, VOICE_HERTZ } from '../../scripts/material/onnx/voices.mjs';
import { createJobWorld, type World } from '../support/job-world.js';
import { transcribeByStages } from '../support/transcribe-by-stages.js';

const MODELS = ['tiny-silero', 'tiny-pyannote', 'tiny-voices', 'tiny-punctuation', 'tiny-language'];
const [ANNA, BERT] = VOICE_HERTZ;
const LEVEL = 6_000;
/** A tone that stands for a Chinese word. */
const CHINESE_HERTZ = 3400;

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

let folder: string;
let models: AuxiliaryModels;
let world: World;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-aids-'));
  for (const model of MODELS) await makeModel(folder, model);
  models = await createAuxiliaryModelsFromFolder(folder, { hosts: 2 });
  world = await createJobWorld();
});
afterAll(async () => {
  await world.close();
  await models.close();
  await rm(folder, { recursive: true, force: true });
});

describe('auxiliary models in the pipeline', () => {
  it('auxiliary models detect speech, two speakers, two languages and sentence ends', async () => {
    const document = await transcribeByStages(world, SOUND, engine, models);
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
    const document = await transcribeByStages(world, SOUND, engine, {
      speechDetector: { detect: failingModel },
      speakerFeatureExtractor: { extract: failingModel },
      punctuator: { predictMarks: failingModel },
      languageIdentifier: { identify: failingModel },
    });
    expect(document.text).toMatch(/how are you/i);
    expect(document.languages).toEqual([]);
    expect(document.speakers.length).toBeGreaterThan(0);
    expect(document.warnings.map(({ code }) => code)).toEqual(['punctuation_unavailable']);
  });
});

const failingModel = () => Promise.reject(new AuxiliaryModelError('broken', { cause: 'in the test' }));

function findTurnAt(seconds: number): (typeof TURNS)[number] | undefined {
  return TURNS.findLast(({ start }) => start - 0.5 <= seconds);
}

/** A word that lies within a turn has the speaker of that turn. */
function expectSpeakerOfTurn(word: { start: number; end: number; speaker: string | null }): void {
  const turn = TURNS.find(({ start, end }) => start + 0.1 < word.start && word.end < end - 0.1);
  if (turn) expect(word, `${word.start} to ${word.end}`).toMatchObject({ speaker: turn.speaker });
}
