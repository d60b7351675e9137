import { rm } from 'node:fs/promises';
import { createScratchDirectory } from '../../../tool/scratch-directory.js';
import type { EnglishModel } from '../installation.js';
import { UnsupportedLanguageModelError } from './language-model.js';
import { prepareVocabulary, type Vocabulary } from './prepare-vocabulary.js';

/**
 * Jobs whose vocabulary is remembered: it is looked up while their files are decoded, and their chunks, mixed with those
 * of others, come later.
 */
const MAX_CACHED_VOCABULARIES = 32;

/** What the chunks of a job share: the terms are looked up once a process, not once a chunk. */
export class VocabularyCache {
  private readonly cached = new Map<string, Promise<Vocabulary>>();

  constructor(private readonly signal: AbortSignal) {}

  /** What failed is tried again at the next call. Throws the reason of the abort. */
  async get(terms: readonly string[], model: EnglishModel): Promise<Vocabulary> {
    const key = JSON.stringify([model.language, terms]);
    const vocabulary = this.cached.get(key) ?? this.prepare(terms, model);
    // The latest used stands last.
    this.cached.delete(key);
    this.cached.set(key, vocabulary);
    const [oldest] = this.cached.keys();
    if (this.cached.size > MAX_CACHED_VOCABULARIES && oldest !== undefined) this.cached.delete(oldest);
    vocabulary.catch(() => this.cached.delete(key));
    return vocabulary;
  }

  private async prepare(terms: readonly string[], model: EnglishModel): Promise<Vocabulary> {
    if (terms.length === 0) return emptyVocabulary(0);
    const folder = await createScratchDirectory();
    try {
      return await prepareVocabulary(terms, model, folder, this.signal);
    } catch (error) {
      if (error instanceof UnsupportedLanguageModelError) return emptyVocabulary(terms.length);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Recognition goes on without them: the transcript says so. */
function emptyVocabulary(unusedTerms: number): Vocabulary {
  return { dictionary: '', addedWords: [], listed: new Map(), phrases: [], unusedTerms };
}
