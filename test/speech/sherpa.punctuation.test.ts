import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuxiliaryModels, createAuxiliaryModelsFromFolder } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeModel } from '../../scripts/material/onnx/library.mjs';

const { signal } = new AbortController();

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-punctuation-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function loadPunctuator(model: string): Promise<AuxiliaryModels['punctuator']> {
  await makeModel(join(folder, model), model);
  const models = await createAuxiliaryModelsFromFolder(join(folder, model), { hosts: 1 });
  onTestFinished(() => models.close());
  return models.punctuator;
}

describe('punctuation by a model', () => {
  const createWords = (line: string, language: string | null, from = 0) =>
    line.split(' ').map((text, at) => ({ text, start: from + at, end: from + at + 0.9, language }));

  it('words of supported languages are punctuated and others skipped', async () => {
    const punctuator = await loadPunctuator('tiny-punctuation');
    const words = [
      ...createWords('hello there how are you', 'en-GB'),
      ...createWords('ganz fine danke', 'de', 5),
      ...createWords('你 好 吗', 'zh', 8),
    ];
    expect(await punctuator?.predictMarks(words, signal)).toEqual([
      ...[null, ',', null, null, '?'],
      ...[undefined, undefined, undefined],
      ...[null, '.', '?'],
    ]);
    expect(await punctuator?.predictMarks([], signal)).toEqual([]);
  });

  it('the English model sets marks, whatever capitals it sets, and skips other languages', async () => {
    const punctuator = await loadPunctuator('tiny-punctuation-en');
    const words = [
      ...createWords("hello there how are you don't", 'en-GB'),
      ...createWords('ganz fine danke', 'de', 8),
      ...createWords('I am fine Zoë', 'en', 12),
    ];
    expect(await punctuator?.predictMarks(words, signal)).toEqual([
      ...[null, ',', null, null, '?', null],
      ...[undefined, undefined, undefined],
      ...[null, null, '.', null],
    ]);
    const line = Array.from({ length: 200 }, () => 'hello there i am fine').join(' ');
    expect(await punctuator?.predictMarks(createWords(line, 'en'), signal)).toEqual(
      Array.from({ length: 200 }, () => [null, ',', null, null, '.']).flat(),
    );
  });

  it('a long text is punctuated block by block', async () => {
    const punctuator = await loadPunctuator('tiny-punctuation');
    const line = Array.from({ length: 200 }, () => 'hello there i am fine').join(' ');
    const marks = await punctuator?.predictMarks(createWords(line, 'en'), signal);
    expect(marks).toEqual(Array.from({ length: 200 }, () => [null, ',', null, null, '.']).flat());
  });
});
