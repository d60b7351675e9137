import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EnglishModel } from '../model.js';
import { ExtendedModels } from './extended-models.js';
import { LanguageModelUnknown, likelihoods } from './language-model.js';
import { binaryModel } from './testing/binary-model.js';
import type { Vocabulary } from './vocabulary.js';

let folder: string;
let temporary: string;
let model: EnglishModel;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-extended-'));
  temporary = join(folder, 'temporary');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  model = { acoustic: folder, language: join(folder, 'lm.bin'), dictionary: join(folder, 'words.dict') };
  await writeFile(model.language, binaryModel({ the: 0.5, cat: 0.25, sat: 0.125, mat: 0.0625 }));
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
    words: names.map((word) => ({ word, probability: 0.01 })),
    listed: new Map(),
    phrases: [],
    unusedTerms: 0,
  };
}

describe('ExtendedModels', () => {
  it('writes one model for all who listen for the same, and keeps it until the last gives it back', async () => {
    const models = new ExtendedModels();
    const [first, second] = await Promise.all([
      models.lend(model, VOCABULARY),
      models.lend(model, VOCABULARY),
    ]);
    expect(second.model).toEqual(first.model);
    expect(await readFile(first.model.dictionary, 'latin1')).toBe('cat K AE T\nthe DH AH\nterm:0 K AH B\n');
    expect([...(await likelihoods(first.model.language)).keys()]).toContain('term:0');
    expect(first.model.acoustic).toBe(model.acoustic);

    await Promise.all([first.giveBack(), first.giveBack()]);
    const third = await models.lend(model, VOCABULARY);
    expect(third.model).toEqual(first.model);
    expect(await readdir(temporary)).toHaveLength(1);
    await second.giveBack();
    expect((await stat(third.model.language)).isFile()).toBe(true);
    await third.giveBack();
    expect(await readdir(temporary)).toEqual([]);
  });

  it('writes another for other terms, and for the same once the first is gone', async () => {
    const models = new ExtendedModels();
    const first = await models.lend(model, VOCABULARY);
    const other = await models.lend(model, vocabularyOf('term:0'));
    expect(dirname(other.model.language)).not.toBe(dirname(first.model.language));
    await first.giveBack();
    const again = await models.lend(model, VOCABULARY);
    expect((await stat(again.model.dictionary)).isFile()).toBe(true);
    await Promise.all([other.giveBack(), again.giveBack()]);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('leaves nothing of what could not be written, and tries it again', async () => {
    const models = new ExtendedModels();
    const many = vocabularyOf('a', 'b', 'c', 'd');
    for (const _ of ['once', 'again']) {
      const both = await Promise.allSettled([models.lend(model, many), models.lend(model, many)]);
      for (const each of both)
        expect(each).toMatchObject({ status: 'rejected', reason: expect.any(LanguageModelUnknown) });
      expect(await readdir(temporary)).toEqual([]);
    }
  });

  it('lends the installed model where there is nothing to listen for', async () => {
    const lent = await new ExtendedModels().lend(model, vocabularyOf());
    expect(lent.model).toBe(model);
    await lent.giveBack();
    expect((await stat(model.language)).isFile()).toBe(true);
  });
});
