import type { EnglishModel } from '../model.js';
import { Dictionary } from './dictionary.js';
import { likelihoods } from './language-model.js';
import { sayUnknown } from './letter-to-sound.js';
import { inLoadingOrder } from './loading-order.js';

/** Words whose sounds were guessed and are remembered; the words of many jobs are mostly the same. */
const MOST_GUESSES = 5_000;

const loaded = new WeakMap<EnglishModel, KnownWords>();

/** What is known of the words of a model, in all of its uses. */
export function knownWords(model: EnglishModel): KnownWords {
  const known = loaded.get(model) ?? new KnownWords(model);
  loaded.set(model, known);
  return known;
}

/**
 * How words sound and how likely they are. The files of the model are read when they are asked for the first time, as
 * reading takes as long as looking up the words of a hundred chunks; what fails is tried again at the next call.
 */
export class KnownWords {
  private entries: Promise<Dictionary> | undefined;
  private usual: Promise<ReadonlyMap<string, number>> | undefined;
  private heard: Promise<string> | undefined;
  private readonly guesses = new Map<string, readonly string[]>();

  constructor(
    private readonly model: EnglishModel,
    private readonly say = sayUnknown,
  ) {}

  /** The sounds in the dictionary, of words that are in it. */
  async soundsOf(words: Iterable<string>): Promise<Map<string, string[]>> {
    return (await this.readEntries()).soundsOf(words);
  }

  /** How likely each word of the language model is by itself, 0 to 1. Throws `LanguageModelUnknown`. */
  async likelihoods(): Promise<ReadonlyMap<string, number>> {
    this.usual ??= likelihoods(this.model.language);
    this.usual.catch(() => (this.usual = undefined));
    return this.usual;
  }

  /** As `likelihoods`, of these words only. */
  async likelihoodsOf(words: Iterable<string>): Promise<Map<string, number>> {
    const usual = await this.likelihoods();
    return new Map([...words].flatMap((word) => pairOf(word, usual.get(word))));
  }

  /**
   * The lines of the dictionary, in latin1, whose words are in the language model: the programs hear no others, and load
   * faster without those. In loading order. Throws `LanguageModelUnknown`.
   */
  async dictionary(): Promise<string> {
    this.heard ??= Promise.all([this.readEntries(), this.likelihoods()]).then(([entries, usual]) =>
      inLoadingOrder(entries.linesOf(usual)).join(''),
    );
    this.heard.catch(() => (this.heard = undefined));
    return this.heard;
  }

  /** As `sayUnknown`, which is asked for what it was not asked before; no sounds for a word that none can say. */
  async guessesOf(
    words: readonly string[],
    folder: string,
    signal: AbortSignal,
  ): Promise<Map<string, readonly string[]>> {
    // Taken before the wait, as any job may clear what is remembered, and this one does below.
    const remembered = new Map(words.flatMap((word) => pairOf(word, this.guesses.get(word))));
    const asked = words.filter((word) => !remembered.has(word));
    const said = await this.say(asked, folder, signal);
    if (this.guesses.size + asked.length > MOST_GUESSES) this.guesses.clear();
    for (const word of asked) this.guesses.set(word, said.get(word) ?? []);
    return new Map(words.map((word) => [word, said.get(word) ?? remembered.get(word) ?? []]));
  }

  private async readEntries(): Promise<Dictionary> {
    this.entries ??= Dictionary.read(this.model.dictionary);
    this.entries.catch(() => (this.entries = undefined));
    return this.entries;
  }
}

function pairOf<T>(word: string, value: T | undefined): [string, T][] {
  return value === undefined ? [] : [[word, value]];
}
