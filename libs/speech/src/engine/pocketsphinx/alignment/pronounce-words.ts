import type { EnglishModel } from '../installation.js';
import { type ModelLexicon, getLexicon } from '../vocabulary/model-lexicon.js';
import { UnsupportedLanguageModelError } from '../vocabulary/language-model.js';
import { type Pronouncer, pronounceWord } from '../vocabulary/pronunciations.js';
import { findSpokenForms, wordsInForms, type WrittenWord } from '../vocabulary/spoken-forms.js';
import type { PronouncedWord } from './term-arcs.js';
import { graphWordName } from './word-graph.js';

/** For words without letters and digits, because every word needs a pronunciation in the graph. */
const PLACEHOLDER_PHONE = 'AH';

/**
 * Finds the pronunciations of written words, and their probability in the language model.
 * @param folder for files of external programs
 * @throws the reason of the abort
 */
export async function pronounceWords(
  words: readonly string[],
  model: EnglishModel,
  folder: string,
  signal: AbortSignal,
): Promise<PronouncedWord[]> {
  const written = words.map(toWrittenWord);
  const plain = new Set(written.flatMap((word) => (word ? wordsInForms(word.spokenForms) : [])));
  const known = getLexicon(model);
  const [entries, probabilities] = await Promise.all([
    known.findPronunciations(plain),
    findProbabilities(known, plain),
  ]);
  const unknown = [...plain].filter((word) => !entries.has(word));
  const guesses = await known.guessPronunciations(unknown, folder, signal);
  const pronounce: Pronouncer = (word) => entries.get(word) ?? guesses.get(word) ?? [];
  return written.map((word) => {
    const sounds = word ? pronounceWord(word.spokenForms, pronounce) : [];
    return {
      pronunciations: (sounds.length > 0 ? sounds : [PLACEHOLDER_PHONE]).map((sound) => sound.split(' ')),
      unigramProbability: Math.min(
        ...(word ? wordsInForms(word.spokenForms) : []).map((each) => probabilities.get(each) ?? 0),
        1,
      ),
    };
  });
}

/** Dictionary lines, under the names of `graphWordName`. */
export function buildDictionary(words: readonly PronouncedWord[]): string {
  return words
    .flatMap(({ pronunciations }, index) =>
      pronunciations.map(
        (phones, at) => `${graphWordName(index)}${at === 0 ? '' : `(${at + 1})`} ${phones.join(' ')}\n`,
      ),
    )
    .join('');
}

/** Without a supported language model all words count as rare. */
async function findProbabilities(
  known: ModelLexicon,
  words: ReadonlySet<string>,
): Promise<Map<string, number>> {
  return known.findProbabilities(words).catch((error: unknown) => {
    if (error instanceof UnsupportedLanguageModelError) return new Map<string, number>();
    throw error;
  });
}

/** Joins thousands (`1,200`) and strips surrounding punctuation. */
function toWrittenWord(text: string): WrittenWord | null {
  const bare = text.replace(/(?<=\d),(?=\d{3})/g, '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%+]+$/gu, '');
  return findSpokenForms(bare)?.[0] ?? null;
}
