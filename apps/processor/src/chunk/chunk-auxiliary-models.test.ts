import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANY_NUMBER_OF_SPEAKERS, AuxiliaryModelError, encodeWav } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { identifyChunkLanguage, extractChunkSpeakerFeatures } from './chunk-auxiliary-models.js';

const words = [{ text: 'hola', start: 0, end: 1, confidence: null, language: null }];

describe('identifyChunkLanguage', () => {
  const { signal } = new AbortController();
  const languageIdentifier = { identify: vi.fn(async () => 'es') };
  let path: string;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-language-'));
    path = join(folder, 'chunk.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('calls the model when the engine reports no language', async () => {
    expect(
      await identifyChunkLanguage({ words, language: null }, path, languageIdentifier, 'any', signal),
    ).toBe('es');
    expect(languageIdentifier.identify).toHaveBeenCalledExactlyOnceWith(new Int16Array(16_000), signal);
  });

  it.each([
    ['the engine reports one', { words, language: 'en' }, 'en'],
    ['there are no words', { words: [], language: null }, null],
  ])('does not call the model when %s', async (_, recognized, language) => {
    languageIdentifier.identify.mockClear();
    expect(await identifyChunkLanguage(recognized, path, languageIdentifier, 'any', signal)).toBe(language);
    expect(languageIdentifier.identify).not.toHaveBeenCalled();
  });

  it('returns null for a language that the engine does not know', async () => {
    const unknown = { words, language: null };
    const languageOf = (languages: string[]) =>
      identifyChunkLanguage(unknown, path, languageIdentifier, languages, signal);
    expect([await languageOf(['en', 'de']), await languageOf(['en', 'es'])]).toEqual([null, 'es']);
  });

  it('returns null when there is no model or the model fails', async () => {
    expect(await identifyChunkLanguage({ words, language: null }, path, null, 'any', signal)).toBeNull();
    const failing = { identify: () => Promise.reject(new AuxiliaryModelError('tiny')) };
    expect(await identifyChunkLanguage({ words, language: null }, path, failing, 'any', signal)).toBeNull();
  });
});

describe('extractChunkSpeakerFeatures', () => {
  const { signal } = new AbortController();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-voices-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('returns a description of a WAV file', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
    expect(await extractChunkSpeakerFeatures([path], null, ANY_NUMBER_OF_SPEAKERS, signal)).toEqual(
      expect.any(String),
    );
  });

  it('returns null, without an error, for a missing file or one that is not audio', async () => {
    const path = join(folder, 'garbage.wav');
    await writeFile(path, 'garbage');
    expect(await extractChunkSpeakerFeatures([path], null, ANY_NUMBER_OF_SPEAKERS, signal)).toBeNull();
    expect(
      await extractChunkSpeakerFeatures([join(folder, 'absent.wav')], null, ANY_NUMBER_OF_SPEAKERS, signal),
    ).toBeNull();
  });

  it('rejects with the abort reason when the stage is aborted', async () => {
    const aborted = AbortSignal.abort(new Error('the lease is lost'));
    await expect(
      extractChunkSpeakerFeatures([join(folder, 'silence.wav')], null, ANY_NUMBER_OF_SPEAKERS, aborted),
    ).rejects.toThrow('the lease is lost');
  });

  it('uses the speaker model, and falls back to measured features when the model fails', async () => {
    const path = join(folder, 'silence.wav');
    await writeFile(path, encodeWav(new Int16Array(16_000)));
    const extractor = { extract: async (samples: Int16Array) => `features of ${samples.length} samples` };
    expect(await extractChunkSpeakerFeatures([path], extractor, ANY_NUMBER_OF_SPEAKERS, signal)).toBe(
      'features of 16000 samples',
    );
    const failing = { extract: () => Promise.reject(new AuxiliaryModelError('tiny')) };
    expect(await extractChunkSpeakerFeatures([path], failing, ANY_NUMBER_OF_SPEAKERS, signal)).toBe(
      await extractChunkSpeakerFeatures([path], null, ANY_NUMBER_OF_SPEAKERS, signal),
    );
  });
});
