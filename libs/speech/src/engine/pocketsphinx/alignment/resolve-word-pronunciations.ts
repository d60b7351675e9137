import type { EnglishModelPaths } from '../installation.js';
import { guessPronunciations } from '../vocabulary/grapheme-to-phoneme.js';
import { getUnigramProbabilities, UnsupportedLanguageModelError } from '../vocabulary/language-model.js';
import { findPronunciations } from '../vocabulary/pronunciation-dictionary.js';
import { type PronunciationLookup, combineSpokenFormPronunciations } from '../vocabulary/pronunciations.js';
import {
  findSpokenFormsPerTermWord,
  isSpelledLetter,
  type WordWithSpokenForms,
} from '../vocabulary/spoken-forms.js';
import type { AlignedWordPronunciations } from './term-arcs.js';
import { formatGraphWordName } from './word-graph.js';

/** Stands for words without letters and digits, because every word needs a pronunciation in the graph. */
const PLACEHOLDER_PHONE = 'AH';

/** @param folder for files of external programs @throws the reason of the abort */
export async function resolveWordPronunciations(
  words: readonly string[],
  model: EnglishModelPaths,
  folder: string,
  signal: AbortSignal,
): Promise<AlignedWordPronunciations[]> {
  const written = words.map(toWrittenWord);
  const plain = new Set(written.flatMap((word) => word?.spokenForms.flat() ?? []));
  const entries = await findPronunciations(model.dictionary, plain);
  const probabilities = await getUnigramProbabilities(model).catch((error: unknown) => {
    // Without a supported language model all words count as rare.
    if (error instanceof UnsupportedLanguageModelError) return new Map<string, number>();
    throw error;
  });
  const unknown = [...plain].filter((word) => !entries.has(word) && !isSpelledLetter(word));
  const guesses = await guessPronunciations(unknown, folder, signal);
  const pronounce: PronunciationLookup = (word) => entries.get(word) ?? guesses.get(word) ?? [];
  return written.map((word) => {
    const pronunciations = word ? combineSpokenFormPronunciations(word.spokenForms, pronounce) : [];
    return {
      pronunciations: (pronunciations.length > 0 ? pronunciations : [PLACEHOLDER_PHONE]).map(
        (pronunciation) => pronunciation.split(' '),
      ),
      unigramProbability: Math.min(
        ...(word?.spokenForms.flat() ?? [])
          .filter((each) => !isSpelledLetter(each))
          .map((each) => probabilities.get(each) ?? 0),
        1,
      ),
    };
  });
}

export function formatWordGraphPronunciations(words: readonly AlignedWordPronunciations[]): string {
  return words
    .flatMap(({ pronunciations }, index) =>
      pronunciations.map(
        (phones, at) => `${formatGraphWordName(index)}${at === 0 ? '' : `(${at + 1})`} ${phones.join(' ')}\n`,
      ),
    )
    .join('');
}

/** Joins thousands (`1,200`) and strips surrounding punctuation. */
function toWrittenWord(text: string): WordWithSpokenForms | null {
  const bare = text.replace(/(?<=\d),(?=\d{3})/g, '').replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}%+]+$/gu, '');
  return findSpokenFormsPerTermWord(bare)?.[0] ?? null;
}
