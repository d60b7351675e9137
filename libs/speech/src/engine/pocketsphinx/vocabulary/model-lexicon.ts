import type { EnglishModel } from '../installation.js';
import { PronunciationDictionary, sortForLoading } from './pronunciation-dictionary.js';
import { readUnigramProbabilities } from './language-model.js';
import { guessPronunciations } from './grapheme-to-phoneme.js';

/** Limits the cache of guesses; most words are shared by many jobs. */
const MAX_GUESSES = 5_000;

const loaded = new WeakMap<EnglishModel, ModelLexicon>();

/** The shared lexicon of a model. */
export function getLexicon(model: EnglishModel): ModelLexicon {
  const known = loaded.get(model) ?? new ModelLexicon(model);
  loaded.set(model, known);
  return known;
}

/**
 * Pronunciations and probabilities of words. The model's files are read on first use, because that takes as long as looking
 * up the words of a hundred chunks; failed reads are repeated on the next call.
 */
export class ModelLexicon {
  private entries: Promise<PronunciationDictionary> | undefined;
  private probabilities: Promise<ReadonlyMap<string, number>> | undefined;
  private recognizableLines: Promise<string> | undefined;
  private readonly guesses = new Map<string, readonly string[]>();

  constructor(
    private readonly model: EnglishModel,
    private readonly guess = guessPronunciations,
  ) {}

  /** Dictionary pronunciations of the words that it contains. */
  async findPronunciations(words: Iterable<string>): Promise<Map<string, string[]>> {
    return (await this.readEntries()).findPronunciations(words);
  }

  /** Unigram probability (0 to 1) of each word of the language model. @throws UnsupportedLanguageModelError */
  async unigramProbabilities(): Promise<ReadonlyMap<string, number>> {
    this.probabilities ??= readUnigramProbabilities(this.model.language);
    this.probabilities.catch(() => (this.probabilities = undefined));
    return this.probabilities;
  }

  /** Like `unigramProbabilities`, for these words only. */
  async findProbabilities(words: Iterable<string>): Promise<Map<string, number>> {
    const probabilities = await this.unigramProbabilities();
    return new Map([...words].flatMap((word) => pairOf(word, probabilities.get(word))));
  }

  /**
   * The dictionary lines (latin1) of words in the language model, in loading order. Other words cannot be recognized and only
   * slow down loading.
   * @throws UnsupportedLanguageModelError
   */
  async dictionaryLines(): Promise<string> {
    this.recognizableLines ??= Promise.all([this.readEntries(), this.unigramProbabilities()]).then(
      ([entries, probabilities]) => sortForLoading(entries.linesFor(probabilities)).join(''),
    );
    this.recognizableLines.catch(() => (this.recognizableLines = undefined));
    return this.recognizableLines;
  }

  /** Cached `guessPronunciations`; words without a guess get an empty list. */
  async guessPronunciations(
    words: readonly string[],
    folder: string,
    signal: AbortSignal,
  ): Promise<Map<string, readonly string[]>> {
    // Before the await, because other jobs may clear the cache.
    const cached = new Map(words.flatMap((word) => pairOf(word, this.guesses.get(word))));
    const missing = words.filter((word) => !cached.has(word));
    const guessed = await this.guess(missing, folder, signal);
    if (this.guesses.size + missing.length > MAX_GUESSES) this.guesses.clear();
    for (const word of missing) this.guesses.set(word, guessed.get(word) ?? []);
    return new Map(words.map((word) => [word, guessed.get(word) ?? cached.get(word) ?? []]));
  }

  private async readEntries(): Promise<PronunciationDictionary> {
    this.entries ??= PronunciationDictionary.read(this.model.dictionary);
    this.entries.catch(() => (this.entries = undefined));
    return this.entries;
  }
}

function pairOf<T>(word: string, value: T | undefined): [string, T][] {
  return value === undefined ? [] : [[word, value]];
}
