import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../models/catalogue/catalogue.js';
import type { InstalledModel } from '../models/model.js';
import { ModelBroken } from '../models/model-errors.js';
import { SherpaHosts } from '../sherpa/host/hosts.js';
import { fileOf, shareOf } from './model-parts.js';
import { serves } from './serves.js';
import { AID_KINDS, aidModels, aidsOf } from './speech-aids.js';

const silero: InstalledModel = {
  name: 'silero',
  kind: 'voice-activity',
  family: 'silero',
  languages: 'any',
  files: { model: '/models/silero/model.onnx' },
  settings: { threshold: '0.4' },
};

describe('aidModels', () => {
  it('takes the first of each kind, and none that it cannot load', () => {
    const other = { ...silero, name: 'silero-other' };
    const whisper: InstalledModel = { ...silero, name: 'whisper', kind: 'recognizer', family: 'whisper' };
    const strange: InstalledModel = { ...silero, name: 'strange', kind: 'punctuation', family: 'whisper' };
    expect([...aidModels([silero, other, whisper, strange])]).toEqual([['voice-activity', silero]]);
    expect(aidModels([])).toEqual(new Map());
  });
});

describe('the catalogue', () => {
  const models = CATALOGUE.map((entry): InstalledModel => ({
    ...entry,
    files: Object.fromEntries(entry.files.map(({ role, path }) => [role, path])),
  }));

  it('has a model for every aid, with the files that it wants', () => {
    expect([...aidModels(models).keys()]).toEqual(AID_KINDS);
    for (const model of models.filter(({ kind }) => kind !== 'recognizer')) {
      const rest = models.filter(({ kind }) => kind !== model.kind);
      const { voiceActivity, speakers, punctuation, language } = aidsOf(
        [...rest, model],
        new SherpaHosts({ hosts: 1, models: [] }),
      );
      expect([voiceActivity, speakers, punctuation, language]).not.toContain(null);
    }
  });
});

describe('what a manifest says', () => {
  it('is a file for each role', () => {
    expect(fileOf(silero, 'model')).toBe('/models/silero/model.onnx');
    expect(() => fileOf(silero, 'encoder')).toThrow(ModelBroken);
    expect(() => fileOf(silero, 'encoder')).toThrow(/\/models\/silero .*encoder/);
  });

  it('may be a figure other than the usual one', () => {
    expect(shareOf(silero, 'threshold', 0.5)).toBe(0.4);
    expect(shareOf(silero, 'alike', 0.5)).toBe(0.5);
    for (const threshold of ['1.1', 'much', '-1'])
      expect(() => shareOf({ ...silero, settings: { threshold } }, 'threshold', 0.5)).toThrow(
        /settings.threshold/,
      );
  });
});

describe('serves', () => {
  it('knows a language by its first part', () => {
    expect(serves(['en', 'zh'], 'en-GB')).toBe(true);
    expect(serves(['zh-CN'], 'ZH')).toBe(true);
    expect(serves(['en'], 'de')).toBe(false);
    expect(serves('any', 'de')).toBe(true);
  });
});
