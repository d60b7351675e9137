import type { EnglishModel } from '../installation.js';
import { type ModelLexicon, lexiconOf } from '../vocabulary/model-lexicon.js';
import { UnsupportedLanguageModelError } from '../vocabulary/language-model.js';
import { type Pronouncer, pronounceWord } from '../vocabulary/pronunciations.js';
import { findSpokenForms, type WrittenWord } from '../vocabulary/spoken-forms.js';
import type { PronouncedWord } from './term-arcs.js';
import { graphWordName } from './word-graph.js';

/** What is said where a sign has no letters and no digits, so that every written word has a place in the graph. */
const PLACEHOLDER_PHONE = 'AH';

/**
 * How each written word may have been said, and how usual it is. `folder` is for the files of outside programs.
 *
 * Throws the reason of the abort.
 */
export async function pronounceWords(
  words: readonly string[],
  model: EnglishModel,
  folder: string,
  signal: AbortSignal,
): Promise<PronouncedWord[]> {
  const written = words.map(toWrittenWord);
  const plain = new Set(written.flatMap((word) => (word ? wordsOf(word) : [])));
  const known = lexiconOf(model);
  const [entries, usual] = await Promise.all([
    known.findPronunciations(plain),
    findProbabilities(known, plain),
  ]);
  const unknown = [...plain].filter((word) => !entries.has(word));
  const guesses = await known.guessPronunciations(unknown, folder, signal);
  const pronounce: Pronouncer = (word) => entries.get(word) ?? guesses.get(word) ?? [];
  return written.map((word) => {
    const sounds = word ? pronounceWord(word, pronounce) : [];
    return {
      sounds: (sounds.length > 0 ? sounds : [PLACEHOLDER_PHONE]).map((sound) => sound.split(' ')),
      usual: Math.min(...(word ? wordsOf(word) : []).map((each) => usual.get(each) ?? 0), 1),
    };
  });
}

/** Lines for the pronouncing dictionary, under the names of `graphWordName`. */
export function buildDictionary(words: readonly PronouncedWord[]): string {
  return words
    .flatMap(({ sounds }, index) =>
      sounds.map((way, at) => `${graphWordName(index)}${at === 0 ? '' : `(${at + 1})`} ${way.join(' ')}\n`),
    )
    .join('');
}

/** A model of another kind tells nothing: all words are rare then. */
async function findProbabilities(
  known: ModelLexicon,
  words: ReadonlySet<string>,
): Promise<Map<string, number>> {
  return known.probabilitiesOf(words).catch((error: unknown) => {
    if (error instanceof UnsupportedLanguageModelError) return new Map<string, number>();
    throw error;
  });
}

/** `1,200` is one number, and what stands around a word is not said. */
function toWrittenWord(text: string): WrittenWord | null {
  const bare = text.replace(/(?<=\d),(?=\d{3})/g, '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%+]+$/gu, '');
  return findSpokenForms(bare)?.[0] ?? null;
}

function wordsOf({ ways }: WrittenWord): string[] {
  return ways.flat().flatMap((spoken) => ('word' in spoken ? [spoken.word] : []));
}
