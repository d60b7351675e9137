import type { EnglishModel } from '../model.js';
import { type KnownWords, knownWords } from '../vocabulary/known-words.js';
import { LanguageModelUnknown } from '../vocabulary/language-model.js';
import { type Pronouncer, soundsOfWord } from '../vocabulary/sounds.js';
import { spokenForms, type WrittenWord } from '../vocabulary/spoken-forms.js';
import type { SoundedWord } from './term-arcs.js';
import { wordName } from './word-graph.js';

/** What is said where a sign has no letters and no digits, so that every written word has a place in the graph. */
const SHORT_SOUND = 'AH';

/**
 * How each written word may have been said, and how usual it is. `folder` is for the files of outside programs.
 *
 * Throws the reason of the abort.
 */
export async function soundWords(
  words: readonly string[],
  model: EnglishModel,
  folder: string,
  signal: AbortSignal,
): Promise<SoundedWord[]> {
  const written = words.map(asWritten);
  const plain = new Set(written.flatMap((word) => (word ? plainWords(word) : [])));
  const known = knownWords(model);
  const [entries, usual] = await Promise.all([known.soundsOf(plain), usualWords(known, plain)]);
  const unknown = [...plain].filter((word) => !entries.has(word));
  const guesses = await known.guessesOf(unknown, folder, signal);
  const pronounce: Pronouncer = (word) => entries.get(word) ?? guesses.get(word) ?? [];
  return written.map((word) => {
    const sounds = word ? soundsOfWord(word, pronounce) : [];
    return {
      sounds: (sounds.length > 0 ? sounds : [SHORT_SOUND]).map((sound) => sound.split(' ')),
      usual: Math.min(...(word ? plainWords(word) : []).map((each) => usual.get(each) ?? 0), 1),
    };
  });
}

/** Lines for the pronouncing dictionary, under the names of `wordName`. */
export function dictionaryOf(words: readonly SoundedWord[]): string {
  return words
    .flatMap(({ sounds }, index) =>
      sounds.map((way, at) => `${wordName(index)}${at === 0 ? '' : `(${at + 1})`} ${way.join(' ')}\n`),
    )
    .join('');
}

/** A model of another kind tells nothing: all words are rare then. */
async function usualWords(known: KnownWords, words: ReadonlySet<string>): Promise<Map<string, number>> {
  return known.likelihoodsOf(words).catch((error: unknown) => {
    if (error instanceof LanguageModelUnknown) return new Map<string, number>();
    throw error;
  });
}

/** `1,200` is one number, and what stands around a word is not said. */
function asWritten(text: string): WrittenWord | null {
  const bare = text.replace(/(?<=\d),(?=\d{3})/g, '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%+]+$/gu, '');
  return spokenForms(bare)?.[0] ?? null;
}

function plainWords({ ways }: WrittenWord): string[] {
  return ways.flat().flatMap((spoken) => ('word' in spoken ? [spoken.word] : []));
}
