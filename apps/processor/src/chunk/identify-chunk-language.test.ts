import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuxiliaryModelError, encodeWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { identifyChunkLanguage } from './identify-chunk-language.js';

const words = [{ text: 'hola', start: 0, end: 1, confidence: null, language: null }];

describe('identifyChunkLanguage', () => {
  const { signal } = new AbortController();
  const teller = { identify: vi.fn(async () => 'es') };
  let path: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-language-'));
    path = join(folder, 'chunk.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('calls the model when the engine reports no language', async () => {
    expect(await identifyChunkLanguage({ words, language: null }, path, teller, signal)).toBe('es');
    expect(teller.identify).toHaveBeenCalledExactlyOnceWith(new Int16Array(16_000), signal);
  });

  it.each([
    ['the engine tells', { words, language: 'en' }, 'en'],
    ['nothing was said', { words: [], language: null }, null],
  ])('does not call the model when %s', async (_, heard, language) => {
    teller.identify.mockClear();
    expect(await identifyChunkLanguage(heard, path, teller, signal)).toBe(language);
    expect(teller.identify).not.toHaveBeenCalled();
  });

  it('returns null when there is no model or the model fails', async () => {
    expect(await identifyChunkLanguage({ words, language: null }, path, null, signal)).toBeNull();
    const failing = { identify: () => Promise.reject(new AuxiliaryModelError('tiny')) };
    expect(await identifyChunkLanguage({ words, language: null }, path, failing, signal)).toBeNull();
  });
});
