import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav, getInstalledModel, SAMPLE_RATE, SherpaEngine } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { renderPieces } from '../../scripts/material/onnx/tones.mjs';

const OPTIONS = { vocabulary: [], signal: new AbortController().signal };

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'zephyr-canary-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @param language of the manifest; the tiny model writes English only */
async function transcribe(language: string | undefined) {
  const models = join(folder, String(language));
  const manifestPath = join(await makeModel(models, 'tiny-canary'), 'model.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as object;
  const settings = language === undefined ? {} : { language };
  const languages = [language ?? 'en'];
  await writeFile(manifestPath, JSON.stringify({ ...manifest, settings, languages }));
  const engine = new SherpaEngine({ model: await getInstalledModel(models, 'tiny-canary'), maxHosts: 1 });
  onTestFinished(() => engine.close());
  const samples = renderPieces(['▁please', '▁call', '▁mor', 'row', '.']);
  const path = join(models, 'speech.wav');
  await writeFile(path, encodeWav(samples));
  return engine.transcribe({ path, duration: samples.length / SAMPLE_RATE }, OPTIONS);
}

describe('Canary', () => {
  it.each(['en', undefined])(
    'words are in the language of the manifest, with estimated times: %s',
    async (language) => {
      const { words, timesEstimated, ...result } = await transcribe(language);
      expect(words.map(({ text }) => text)).toEqual(['please', 'call', 'morrow.']);
      expect(words.map((word) => word.language)).toEqual(['en', 'en', 'en']);
      expect({ timesEstimated, language: result.language }).toEqual({ timesEstimated: true, language: 'en' });
    },
  );

  it('the library is told another language, and its control token for audio without words is none', async () => {
    expect((await transcribe('de')).words.map(({ text }) => text)).toEqual([]);
  });
});
