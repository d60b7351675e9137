import type { EnglishModel } from '../installation.js';
import { PronunciationDictionary, sortForLoading } from './pronunciation-dictionary.js';
import { readUnigramProbabilities } from './language-model.js';
import { guessPronunciations } from './grapheme-to-phoneme.js';

/** Words whose sounds were guessed and are remembered; the words of many jobs are mostly the same. */
const MAX_GUESSES = 5_000;

const loaded = new WeakMap<EnglishModel, ModelLexicon>();

/** What is known of the words of a model, in all of its uses. */
export function lexiconOf(model: EnglishModel): ModelLexicon {
  const known = loaded.get(model) ?? new ModelLexicon(model);
  loaded.set(model, known);
  return known;
}

/**
 * How words sound and how likely they are. The files of the model are read when they are asked for the first time, as
 * reading takes as long as looking up the words of a hundred chunks; what fails is tried again at the next call.
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

  /** The sounds in the dictionary, of words that are in it. */
  async findPronunciations(words: Iterable<string>): Promise<Map<string, string[]>> {
    return (await this.readEntries()).findPronunciations(words);
  }

  /** How likely each word of the language model is by itself, 0 to 1. Throws `UnsupportedLanguageModelError`. */
  async unigramProbabilities(): Promise<ReadonlyMap<string, number>> {
    this.probabilities ??= readUnigramProbabilities(this.model.language);
    this.probabilities.catch(() => (this.probabilities = undefined));
    return this.probabilities;
  }

  /** As `likelihoods`, of these words only. */
  async probabilitiesOf(words: Iterable<string>): Promise<Map<string, number>> {
    const usual = await this.unigramProbabilities();
    return new Map([...words].flatMap((word) => pairOf(word, usual.get(word))));
  }

  /**
   * The lines of the dictionary, in latin1, whose words are in the language model: the programs hear no others, and load
   * faster without those. In loading order. Throws `UnsupportedLanguageModelError`.
   */
  async dictionaryLines(): Promise<string> {
    this.recognizableLines ??= Promise.all([this.readEntries(), this.unigramProbabilities()]).then(
      ([entries, usual]) => sortForLoading(entries.linesFor(usual)).join(''),
    );
    this.recognizableLines.catch(() => (this.recognizableLines = undefined));
    return this.recognizableLines;
  }

  /** As `guessPronunciations`, which is asked for what it was not asked before; no sounds for a word that none can say. */
  async guessPronunciations(
    words: readonly string[],
    folder: string,
    signal: AbortSignal,
  ): Promise<Map<string, readonly string[]>> {
    // Taken before the wait, as any job may clear what is remembered, and this one does below.
    const remembered = new Map(words.flatMap((word) => pairOf(word, this.guesses.get(word))));
    const asked = words.filter((word) => !remembered.has(word));
    const said = await this.guess(asked, folder, signal);
    if (this.guesses.size + asked.length > MAX_GUESSES) this.guesses.clear();
    for (const word of asked) this.guesses.set(word, said.get(word) ?? []);
    return new Map(words.map((word) => [word, said.get(word) ?? remembered.get(word) ?? []]));
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
