import { rm } from 'node:fs/promises';
import { makeWorkFolder } from '../../../tool/work-folder.js';
import type { EnglishModel } from '../model.js';
import { LanguageModelUnknown } from './language-model.js';
import { prepareVocabulary, type Vocabulary } from './vocabulary.js';

/**
 * Jobs whose vocabulary is remembered: it is looked up while their files are decoded, and their chunks, mixed with those
 * of others, come later.
 */
const MOST_REMEMBERED = 32;

/** What the chunks of a job share: the terms are looked up once a process, not once a chunk. */
export class Vocabularies {
  private readonly remembered = new Map<string, Promise<Vocabulary>>();

  constructor(private readonly signal: AbortSignal) {}

  /** What failed is tried again at the next call. Throws the reason of the abort. */
  async of(terms: readonly string[], model: EnglishModel): Promise<Vocabulary> {
    const key = JSON.stringify([model.language, terms]);
    const vocabulary = this.remembered.get(key) ?? this.prepare(terms, model);
    // The latest used stands last.
    this.remembered.delete(key);
    this.remembered.set(key, vocabulary);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > MOST_REMEMBERED && oldest !== undefined) this.remembered.delete(oldest);
    vocabulary.catch(() => this.remembered.delete(key));
    return vocabulary;
  }

  private async prepare(terms: readonly string[], model: EnglishModel): Promise<Vocabulary> {
    if (terms.length === 0) return withoutTerms(0);
    const folder = await makeWorkFolder();
    try {
      return await prepareVocabulary(terms, model, folder, this.signal);
    } catch (error) {
      if (error instanceof LanguageModelUnknown) return withoutTerms(terms.length);
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Recognition goes on without them: the transcript says so. */
function withoutTerms(unusedTerms: number): Vocabulary {
  return { dictionary: '', words: [], listed: new Map(), phrases: [], unusedTerms };
}
