import { describe, expect, it } from 'vitest';
import { MODEL_CATALOGUE } from '../models/catalogue/catalogue.js';
import { type InstalledModel, InvalidModelError } from '../models/installed-model.js';
import { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { getModelFilePathByRole, readModelFractionSetting } from './sherpa-model.js';
import { supportsLanguage } from '../engine/language-tag.js';
import {
  AUXILIARY_MODEL_KINDS,
  pickOneAuxiliaryModelPerKind,
  createAuxiliaryModels,
} from './auxiliary-models.js';

const silero: InstalledModel = {
  name: 'silero',
  kind: 'voice-activity',
  family: 'silero',
  languages: 'any',
  files: { model: '/models/silero/model.onnx' },
  settings: { threshold: '0.4' },
};

describe('pickOneAuxiliaryModelPerKind', () => {
  it('selects the first loadable model of each kind', () => {
    const other = { ...silero, name: 'silero-other' };
    const whisper: InstalledModel = { ...silero, name: 'whisper', kind: 'recognizer', family: 'whisper' };
    const strange: InstalledModel = { ...silero, name: 'strange', kind: 'punctuation', family: 'whisper' };
    expect([...pickOneAuxiliaryModelPerKind([silero, other, whisper, strange])]).toEqual([
      ['voice-activity', silero],
    ]);
    expect(pickOneAuxiliaryModelPerKind([])).toEqual(new Map());
  });
});

describe('the catalogue', () => {
  const models = MODEL_CATALOGUE.map((entry): InstalledModel => ({
    ...entry,
    files: Object.fromEntries(entry.files.map(({ role, path }) => [role, path])),
  }));

  it('the catalogue has a model of every auxiliary kind, with the files that its loader needs', () => {
    expect([...pickOneAuxiliaryModelPerKind(models).keys()]).toEqual(AUXILIARY_MODEL_KINDS);
    for (const model of models.filter(({ kind }) => kind !== 'recognizer')) {
      const rest = models.filter(({ kind }) => kind !== model.kind);
      const {
        speechDetector: voiceActivity,
        speakerFeatureExtractor: speakers,
        punctuator: punctuation,
        languageIdentifier: language,
      } = createAuxiliaryModels([...rest, model], new SherpaHostPool({ hosts: 1, models: [] }));
      expect([voiceActivity, speakers, punctuation, language]).not.toContain(null);
    }
  });
});

describe('model loader configuration', () => {
  it('the configuration uses the file of each role in the manifest', () => {
    expect(getModelFilePathByRole(silero, 'model')).toBe('/models/silero/model.onnx');
    expect(() => getModelFilePathByRole(silero, 'encoder')).toThrow(InvalidModelError);
    expect(() => getModelFilePathByRole(silero, 'encoder')).toThrow(/\/models\/silero .*encoder/);
  });

  it('a setting in the manifest overrides the default', () => {
    expect(readModelFractionSetting(silero, 'threshold', 0.5)).toBe(0.4);
    expect(readModelFractionSetting(silero, 'alike', 0.5)).toBe(0.5);
    for (const threshold of ['1.1', 'much', '-1'])
      expect(() =>
        readModelFractionSetting({ ...silero, settings: { threshold } }, 'threshold', 0.5),
      ).toThrow(/settings.threshold/);
  });
});

describe('supportsLanguage', () => {
  it('compares languages by their primary subtag', () => {
    expect(supportsLanguage(['en', 'zh'], 'en-GB')).toBe(true);
    expect(supportsLanguage(['zh-CN'], 'ZH')).toBe(true);
    expect(supportsLanguage(['en'], 'de')).toBe(false);
    expect(supportsLanguage('any', 'de')).toBe(true);
  });
});
