import { rm } from 'node:fs/promises';
import { createScratchDirectory } from '../../../tool/scratch-directory.js';
import type { EnglishModelPaths } from '../installation.js';
import { UnsupportedLanguageModelError } from './language-model.js';
import { buildPocketsphinxVocabulary, type PocketsphinxVocabulary } from './build-pocketsphinx-vocabulary.js';

/** Vocabularies are prepared during decoding; their chunks follow later, interleaved with those of other jobs. */
const MAX_CACHED_VOCABULARIES = 32;

export class VocabularyCache {
  private readonly cached = new Map<string, Promise<PocketsphinxVocabulary>>();

  constructor(private readonly signal: AbortSignal) {}

  /** Failures are not cached. @throws the reason of the abort */
  async get(terms: readonly string[], model: EnglishModelPaths): Promise<PocketsphinxVocabulary> {
    const key = JSON.stringify([model.language, terms]);
    const vocabulary = this.cached.get(key) ?? this.prepare(terms, model);
    // Moves the entry to the end: the first one is the least recently used.
    this.cached.delete(key);
    this.cached.set(key, vocabulary);
    const [oldest] = this.cached.keys();
    if (this.cached.size > MAX_CACHED_VOCABULARIES && oldest !== undefined) this.cached.delete(oldest);
    vocabulary.catch(() => this.cached.delete(key));
    return vocabulary;
  }

  private async prepare(terms: readonly string[], model: EnglishModelPaths): Promise<PocketsphinxVocabulary> {
    if (terms.length === 0) return emptyVocabulary(0);
    const folder = await createScratchDirectory();
    try {
      return await buildPocketsphinxVocabulary(terms, model, folder, this.signal);
    } catch (error) {
      if (error instanceof UnsupportedLanguageModelError) return emptyVocabulary(terms.length);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Used without a supported language model; the transcript reports the unused terms. */
function emptyVocabulary(unusedTerms: number): PocketsphinxVocabulary {
  return { dictionaryLines: '', addedWords: [], termsByEngineName: new Map(), phrases: [], unusedTerms };
}
