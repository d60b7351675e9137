import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EnglishModel } from '../installation.js';
import { ExtendedModelCache } from './extended-model-cache.js';
import { UnsupportedLanguageModelError, readUnigramProbabilities } from './language-model.js';
import { buildBinaryLanguageModel } from './testing/binary-language-model.js';
import type { Vocabulary } from './prepare-vocabulary.js';

let folder: string;
let temporary: string;
let model: EnglishModel;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-extended-'));
  temporary = join(folder, 'temporary');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  model = { acoustic: folder, language: join(folder, 'lm.bin'), dictionary: join(folder, 'words.dict') };
  await writeFile(model.language, buildBinaryLanguageModel({ the: 0.5, cat: 0.25, sat: 0.125, mat: 0.0625 }));
  await writeFile(model.dictionary, 'cat K AE T\ndog D AO G\nthe DH AH\n');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const VOCABULARY = vocabularyOf('term:0');

function vocabularyOf(...names: string[]): Vocabulary {
  return {
    dictionary: names.map((name) => `${name} K AH B\n`).join(''),
    addedWords: names.map((word) => ({ word, probability: 0.01 })),
    entries: new Map(),
    phrases: [],
    unusedTerms: 0,
  };
}

describe('ExtendedModelCache', () => {
  it('processes with the same vocabulary share one model until the last releases it', async () => {
    const models = new ExtendedModelCache();
    const [first, second] = await Promise.all([
      models.acquire(model, VOCABULARY),
      models.acquire(model, VOCABULARY),
    ]);
    expect(second.model).toEqual(first.model);
    expect(await readFile(first.model.dictionary, 'latin1')).toBe('cat K AE T\nthe DH AH\nterm:0 K AH B\n');
    expect([...(await readUnigramProbabilities(first.model.language)).keys()]).toContain('term:0');
    expect(first.model.acoustic).toBe(model.acoustic);

    await Promise.all([first.release(), first.release()]);
    const third = await models.acquire(model, VOCABULARY);
    expect(third.model).toEqual(first.model);
    expect(await readdir(temporary)).toHaveLength(1);
    await second.release();
    expect((await stat(third.model.language)).isFile()).toBe(true);
    await third.release();
    expect(await readdir(temporary)).toEqual([]);
  });

  it('a new model is written for other terms, and after the last release', async () => {
    const models = new ExtendedModelCache();
    const first = await models.acquire(model, VOCABULARY);
    const other = await models.acquire(model, vocabularyOf('term:0'));
    expect(dirname(other.model.language)).not.toBe(dirname(first.model.language));
    await first.release();
    const again = await models.acquire(model, VOCABULARY);
    expect((await stat(again.model.dictionary)).isFile()).toBe(true);
    await Promise.all([other.release(), again.release()]);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('a failed write leaves no files and is retried', async () => {
    const models = new ExtendedModelCache();
    const many = vocabularyOf('a', 'b', 'c', 'd');
    for (const _ of ['once', 'again']) {
      const both = await Promise.allSettled([models.acquire(model, many), models.acquire(model, many)]);
      for (const each of both)
        expect(each).toMatchObject({ status: 'rejected', reason: expect.any(UnsupportedLanguageModelError) });
      expect(await readdir(temporary)).toEqual([]);
    }
  });

  it('an empty vocabulary uses the installed model', async () => {
    const lent = await new ExtendedModelCache().acquire(model, vocabularyOf());
    expect(lent.model).toBe(model);
    await lent.release();
    expect((await stat(model.language)).isFile()).toBe(true);
  });
});
