import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODEL_CATALOGUE } from './catalogue.js';
import { InvalidCatalogueError, loadCatalogue } from './load-catalogue.js';

const OWN = {
  name: 'own-model',
  kind: 'recognizer',
  family: 'whisper',
  languages: ['pl'],
  licence: 'own',
  files: [
    {
      role: 'encoder',
      path: 'e.onnx',
      bytes: 3,
      sha256: 'a'.repeat(64),
      url: 'https://models.example/e.onnx',
    },
  ],
};
const RATING = { rank: 90, minWordsRight: 0.5 };

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-catalogue-'))));
afterEach(() => rm(folder, { recursive: true }));

async function load(content: unknown) {
  const path = join(folder, 'models.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return loadCatalogue(path);
}

describe('loadCatalogue', () => {
  it('returns the catalogue of the project without a file', async () => {
    expect(await loadCatalogue()).toBe(MODEL_CATALOGUE);
  });

  it('adds the entries of the file, which replace those of the same name', async () => {
    const catalogue = await load([
      { ...OWN, rating: RATING },
      { ...OWN, name: 'whisper-tiny' },
    ]);
    expect(catalogue.find(({ name }) => name === 'own-model')).toMatchObject({
      rating: RATING,
      settings: {},
    });
    expect(catalogue.filter(({ name }) => name === 'whisper-tiny')).toMatchObject([{ languages: ['pl'] }]);
    expect(catalogue).toHaveLength(MODEL_CATALOGUE.length + 1);
  });

  it.each<[string, unknown]>([
    ['cannot be read as JSON', '['],
    ['it: Invalid input', OWN],
    ['0.files.0.url', [{ ...OWN, files: [{ ...OWN.files[0], url: 'ftp://models.example/e.onnx' }] }]],
    ['0.files.0.path', [{ ...OWN, files: [{ ...OWN.files[0], path: '../e.onnx' }] }]],
    ['0.rating.minWordsRight', [{ ...OWN, rating: { ...RATING, minWordsRight: 50 } }]],
    ['0: Unrecognized key', [{ ...OWN, rank: 3 }]],
  ])('rejects a file and names the problem: %s', async (problem, content) => {
    const error: unknown = await load(content).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidCatalogueError);
    expect(String(error)).toContain('MODELS_CATALOGUE');
    expect(String(error)).toContain(problem);
  });

  it('rejects a missing file', async () => {
    await expect(loadCatalogue(join(folder, 'absent.json'))).rejects.toThrow('absent.json cannot be read');
  });
});
