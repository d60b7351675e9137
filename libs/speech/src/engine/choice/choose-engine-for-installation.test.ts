import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeModel } from '../../../../../scripts/material/onnx/library.mjs';
import { MODEL_CATALOGUE } from '../../models/catalogue/catalogue.js';
import type { InstalledModel } from '../../models/installed-model.js';
import { writeModelCheck } from '../../models/check/model-check.js';
import { createEngine, type EngineSettings } from '../create-engine.js';
import { EngineUnavailableError } from '../engine.js';
import {
  chooseEngineAutomatically,
  chooseEngineForInstallation,
  type EngineChoiceSettings,
} from './choose-engine-for-installation.js';
import { formatImprovement } from './engine-choice.js';
import type { InstalledRecognizerCandidate } from './installed-recognizer-candidate.js';

const GIBIBYTE = 2 ** 30;
const PASSED = { problem: null };

function createCandidate(
  name: string,
  {
    check = PASSED,
    gibibytes = 0.2,
  }: { check?: InstalledRecognizerCandidate['check']; gibibytes?: number } = {},
): InstalledRecognizerCandidate {
  const entry = MODEL_CATALOGUE.find((model) => model.name === name);
  const languages = entry?.languages ?? ['pl'];
  const model: InstalledModel = {
    name,
    kind: 'recognizer',
    family: 'whisper',
    languages,
    files: {},
    settings: {},
  };
  return { model, rank: entry?.rating?.rank ?? 0, copyBytes: gibibytes * GIBIBYTE, check };
}

function choose(
  candidates: InstalledRecognizerCandidate[],
  { languages = ['en'], memory = 16, installed = [] as string[] } = {},
) {
  const machine = { cores: 4, memoryBytes: memory * GIBIBYTE, isMemoryLimited: false };
  const auxiliary = MODEL_CATALOGUE.filter(({ name }) => installed.includes(name)).map(({ name, kind }) => ({
    ...{ name, kind, family: 'silero' as const, languages: 'any' as const, files: {}, settings: {} },
  }));
  const models = [...candidates.map(({ model }) => model), ...auxiliary];
  const choice = chooseEngineAutomatically(
    { speechLanguages: languages },
    { candidates, models, catalogue: MODEL_CATALOGUE, machine },
  );
  return {
    ...choice,
    chosen: choice.recognizer?.name ?? choice.engine,
    advice: choice.improvement && formatImprovement(choice.improvement),
  };
}

const SETTINGS: EngineSettings = {
  sherpaThreads: 1,
  openaiModel: '',
  openaiAudioFormat: 'auto',
  openaiVocabularyFields: ['prompt'],
  openaiFormFields: [],
  openaiConcurrency: 1,
  openaiTimeoutSeconds: 1,
  openaiAttempts: 1,
};

describe('chooseEngineAutomatically', () => {
  const [v2, v3] = ['parakeet-tdt-0.6b-v2', 'parakeet-tdt-0.6b-v3'];
  const failed = { problem: 'it got 3 % of the words right' };

  it.each([
    { why: 'nothing is installed', candidates: [], chosen: 'pocketsphinx' },
    { why: 'one is installed', candidates: [createCandidate('whisper-tiny')], chosen: 'whisper-tiny' },
    {
      why: 'the catalogue ranks one higher',
      candidates: [createCandidate('whisper-small'), createCandidate(v3), createCandidate(v2)],
      chosen: v3,
    },
    {
      why: 'only one of them knows the wanted languages',
      candidates: [createCandidate(v3), createCandidate('whisper-small')],
      languages: ['tr', 'en'],
      chosen: 'whisper-small',
    },
    {
      why: 'a region of the language is wanted',
      candidates: [createCandidate(v2), createCandidate('sense-voice')],
      languages: ['zh-TW'],
      chosen: 'sense-voice',
    },
    {
      why: 'no installed one knows the language',
      candidates: [createCandidate(v2), createCandidate('moonshine-tiny-en')],
      languages: ['tr'],
      chosen: v2,
    },
    {
      why: 'the best does not fit into the memory',
      candidates: [
        createCandidate(v3, { gibibytes: 1 }),
        createCandidate('moonshine-base-en', { gibibytes: 0.4 }),
      ],
      memory: 1,
      chosen: 'moonshine-base-en',
    },
    {
      why: 'the best failed its check',
      candidates: [createCandidate(v3, { check: failed }), createCandidate('whisper-tiny')],
      chosen: 'whisper-tiny',
    },
    {
      why: 'the only one failed its check',
      candidates: [createCandidate('whisper-tiny', { check: failed })],
      chosen: 'pocketsphinx',
    },
    {
      why: 'the only one was not checked',
      candidates: [createCandidate('whisper-tiny', { check: null })],
      chosen: 'pocketsphinx',
    },
    {
      why: 'one outside of the catalogue is the only one',
      candidates: [createCandidate('own')],
      chosen: 'own',
    },
    {
      why: 'one outside of the catalogue is ranked last',
      candidates: [createCandidate('own'), createCandidate('whisper-tiny')],
      chosen: 'whisper-tiny',
    },
    {
      why: 'one outside of the catalogue is the only one that knows the language',
      candidates: [createCandidate('own'), createCandidate(v2)],
      languages: ['pl'],
      chosen: 'own',
    },
  ])('$chosen, because $why', ({ candidates, chosen, ...options }) => {
    expect(choose(candidates, options)).toMatchObject({ chosen, isAutomatic: true });
  });

  it('names the recommended models that are missing, with their size', () => {
    const aids = 'silero-vad pyannote-segmentation-3.0 campplus-en';
    expect(choose([]).advice).toBe(
      `${v3} (707 MB to download) recognises more: npm run admin -- models pull ${v3} ${aids}`,
    );
    expect(choose([], { installed: aids.split(' ') }).advice).toMatch(new RegExp(`models pull ${v3}$`));
    expect(choose([], { memory: 2 }).advice).toContain('models pull moonshine-base-en');
    expect(choose([], { languages: ['tr'] }).advice).toContain('models pull whisper-turbo');
    expect(choose([], { memory: 0.5 }).advice).toBeNull();
    expect(choose([createCandidate('whisper-tiny')]).advice).toContain(`models pull ${v3}`);
    expect(choose([createCandidate(v3)]).advice).toBeNull();
  });

  it('advises to check a better model that is installed, and does not advise one that failed', () => {
    const unchecked = choose([createCandidate(v3, { check: null }), createCandidate('whisper-tiny')]);
    expect(unchecked.advice).toBe(
      `${v3} is installed but was not checked: npm run admin -- models check ${v3}`,
    );
    expect(unchecked.unusable).toEqual([{ name: v3, problem: 'it was not checked' }]);
    const rejected = choose([createCandidate(v3, { check: failed }), createCandidate(v2)]);
    expect(rejected.advice).toBeNull();
    expect(rejected.unusable).toEqual([{ name: v3, problem: failed.problem }]);
  });

  it('limits the chunks at a time to the copies of the model that fit into memory', () => {
    expect(choose([createCandidate(v3, { gibibytes: 1 })], { memory: 4 }).concurrentChunks).toMatchObject({
      count: 3,
    });
    expect(choose([], { memory: 4 }).concurrentChunks).toMatchObject({ count: 4 });
  });
});

describe('chooseEngineForInstallation', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-choice-'));
    await makeModel(folder, 'tiny-parakeet');
  });
  afterAll(() => rm(folder, { recursive: true }));

  const chooseWith = (settings: Partial<EngineChoiceSettings>) =>
    chooseEngineForInstallation({ engine: 'auto', modelsDir: folder, speechLanguages: ['en'], ...settings });
  const remote = { openaiBaseUrl: 'http://127.0.0.1:1/v1' };

  it.each<[Partial<EngineChoiceSettings>, string, boolean]>([
    [{ engine: 'pocketsphinx', ...remote }, 'pocketsphinx', false],
    [{ engine: 'openai', ...remote }, 'openai', false],
    [{ engine: 'sherpa', ...remote }, 'sherpa', false],
    [{ engine: 'sherpa', sherpaModel: 'tiny-parakeet' }, 'sherpa', false],
    [remote, 'openai', true],
    [{ ...remote, sherpaModel: 'tiny-parakeet' }, 'openai', true],
    [{ sherpaModel: 'tiny-parakeet' }, 'sherpa', false],
    [{ sherpaModel: 'tiny-parakeet', engine: 'pocketsphinx' }, 'pocketsphinx', false],
    [{}, 'pocketsphinx', true],
  ])('%j: %s', async (settings, engine, isAutomatic) => {
    expect(await chooseWith(settings)).toMatchObject({ engine, isAutomatic });
  });

  it.each<Partial<EngineChoiceSettings>>([
    { engine: 'sherpa', sherpaModel: 'absent' },
    { sherpaModel: 'absent' },
    { engine: 'sherpa', modelsDir: '/nonexistent' },
  ])('%j: rejects a recogniser that is named but missing', async (settings) => {
    await expect(chooseWith(settings)).rejects.toBeInstanceOf(EngineUnavailableError);
  });

  it('uses an installed model once it has passed a check of these very files', async () => {
    const model = join(folder, 'tiny-parakeet');
    const measured = { wordsRight: 1, speakersRight: 1, speed: 1, memoryBytes: 1e6 };
    await writeModelCheck(model, { ...measured, problem: 'no words' });
    expect(await chooseWith({})).toMatchObject({ engine: 'pocketsphinx' });
    await writeModelCheck(model, { ...measured, problem: null });
    const choice = await chooseWith({ chunkConcurrency: 3 });
    expect(choice).toMatchObject({ engine: 'sherpa', recognizer: { name: 'tiny-parakeet' } });
    expect(choice.concurrentChunks.count).toBe(3);
    const engine = createEngine(choice, SETTINGS);
    expect(await engine.identity()).toMatchObject({
      ...{ name: 'sherpa', model: 'tiny-parakeet', version: expect.stringMatching(/^\d+\.\d+/) },
    });
    await engine.close();
    await makeModel(folder, 'tiny-moonshine');
    expect(await chooseWith({})).toMatchObject({ recognizer: { name: 'tiny-parakeet' } });
  });
});
