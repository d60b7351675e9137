import type { EnglishModelPaths } from '../installation.js';
import { isWordTaggedWithEspeakVoice } from './foreign-orthography.js';
import { guessPronunciations, guessForeignPronunciations } from './grapheme-to-phoneme.js';
import { type AddedWord, getUnigramProbabilities } from './language-model.js';
import { findPronunciations } from './pronunciation-dictionary.js';
import {
  countPhones,
  dropShortPronunciations,
  type PronunciationLookup,
  combineTermPronunciations,
  combineSpokenFormPronunciations,
  chooseTermProbabilityByPhoneCount,
} from './pronunciations.js';
import {
  buildForeignSpokenForms,
  findSpokenFormsPerTermWord,
  isSpelledLetter,
  type WordWithSpokenForms,
} from './spoken-forms.js';
import { type TermRestorationRule, buildTermRestorationRules } from './term-restoration-rules.js';

/** A term, or a word of one, that the engine recognizes under a separate name. */
export interface TermWordsWithPhoneCounts {
  /** Words as the caller wrote them, and the number of phones of each. */
  texts: string[];
  phoneCounts: number[];
}

export interface PocketsphinxVocabulary {
  dictionaryLines: string;
  addedWords: AddedWord[];
  /** The keys are the names that the engine prints. */
  termsByEngineName: ReadonlyMap<string, TermWordsWithPhoneCounts>;
  /** Terms that the engine may also recognize as ordinary words. */
  phrases: TermRestorationRule[];
  unusedTerms: number;
}

/** Rarer words may have pronunciations that the dictionary lacks. */
const MAX_RARE_PROBABILITY = 1e-5;

interface PronouncedTerm {
  words: PronouncedWord[];
}

interface PronouncedWord extends WordWithSpokenForms {
  /** All pronunciations, foreign ones included. */
  pronunciations: string[];
  englishPronunciations: string[];
}

/**
 * Deduplicates terms regardless of case; the first spelling wins.
 * @param folder for files of external programs
 * @throws UnsupportedLanguageModelError; the reason of the abort
 */
export async function buildPocketsphinxVocabulary(
  terms: readonly string[],
  model: EnglishModelPaths,
  folder: string,
  signal: AbortSignal,
  pronounceForeign = guessForeignPronunciations,
): Promise<PocketsphinxVocabulary> {
  const distinct = deduplicateTerms(terms);
  const probabilities = await getUnigramProbabilities(model);
  const isRare = (word: string) => (probabilities.get(word) ?? 0) < MAX_RARE_PROBABILITY;
  const forms = distinct
    .map(findSpokenFormsPerTermWord)
    .filter((form) => form !== null)
    .map((form) =>
      form.map((word) => ({
        ...word,
        foreign: buildForeignSpokenForms(word.text, (each) => !isRare(each)),
      })),
    );
  const words = new Set(
    forms.flat().flatMap(({ spokenForms, foreign }) => [...spokenForms, ...foreign].flat()),
  );
  const entries = await findPronunciations(model.dictionary, words);
  const foreignReadings = [...words].filter(isWordTaggedWithEspeakVoice);
  // The dictionary has only one pronunciation for many names.
  const guessable = [...words].filter(
    (word) => isRare(word) && !isSpelledLetter(word) && !foreignReadings.includes(word),
  );
  const guesses = await guessPronunciations(guessable, folder, signal);
  const foreignPronunciations = await pronounceForeign(foreignReadings, folder, signal);
  const pronounce: PronunciationLookup = (word) => [
    ...new Set([entries, guesses, foreignPronunciations].flatMap((source) => source.get(word) ?? [])),
  ];

  const pronounceable = forms
    .map((form) => ({
      words: form.map(({ text, spokenForms, foreign }) => {
        const englishPronunciations = combineSpokenFormPronunciations(spokenForms, pronounce);
        const pronunciations = combineSpokenFormPronunciations([...spokenForms, ...foreign], pronounce);
        return { text, spokenForms, englishPronunciations, pronunciations };
      }),
    }))
    .filter((term) => term.words.every(({ pronunciations }) => pronunciations.length > 0));
  return {
    ...buildEntries(pronounceable, probabilities),
    phrases: buildTermRestorationRules(pronounceable, probabilities),
    unusedTerms: distinct.length - pronounceable.length,
  };
}

/** Builds entries for all terms, and for words of terms that the language model lacks. */
function buildEntries(
  terms: readonly PronouncedTerm[],
  probabilities: ReadonlyMap<string, number>,
): Omit<PocketsphinxVocabulary, 'phrases' | 'unusedTerms'> {
  const parts = terms.flatMap(({ words }) =>
    words.length > 1 ? words.filter((word) => !isInLanguageModel(word, probabilities)) : [],
  );
  const wanted = new Map<string, PronouncedTerm>();
  for (const term of [...terms, ...parts.map((word) => ({ words: [word] }))]) {
    const written = term.words.map(({ text }) => text.toLowerCase()).join(' ');
    if (!wanted.has(written)) wanted.set(written, term);
  }
  const lines: string[] = [];
  const words: AddedWord[] = [];
  const entries = new Map<string, TermWordsWithPhoneCounts>();
  for (const [written, term] of wanted) {
    const pronunciations = dropShortPronunciations(
      combineTermPronunciations(term.words.map((word) => word.pronunciations)),
    );
    // A short foreign pronunciation must not raise the chance of false matches.
    const english = dropShortPronunciations(
      combineTermPronunciations(term.words.map((word) => word.englishPronunciations)),
    );
    const probability = chooseTermProbabilityByPhoneCount(
      english.length > 0 ? english : pronunciations,
      probabilities.get(written) ?? 0,
    );
    if (probability === null) continue;
    // The colon keeps the name apart from dictionary words.
    const name = `term:${entries.size}`;
    lines.push(
      ...pronunciations.map(
        (pronunciation, at) => `${at === 0 ? name : `${name}(${at + 1})`} ${pronunciation}\n`,
      ),
    );
    words.push({ word: name, probability });
    const phoneCounts = term.words.map((word) => countPhones(word.pronunciations[0] ?? ''));
    entries.set(name, { texts: term.words.map(({ text }) => text), phoneCounts });
  }
  return { dictionaryLines: lines.join(''), addedWords: words, termsByEngineName: entries };
}

/** Whether the engine can recognize the word without an entry. */
function isInLanguageModel(
  { spokenForms }: WordWithSpokenForms,
  probabilities: ReadonlyMap<string, number>,
): boolean {
  return spokenForms.some((form) => form.every((word) => !isSpelledLetter(word) && probabilities.has(word)));
}

function deduplicateTerms(terms: readonly string[]): string[] {
  const distinct = new Map<string, string>();
  for (const term of terms) {
    const key = term.trim().toLowerCase();
    if (!distinct.has(key)) distinct.set(key, term);
  }
  return [...distinct.values()];
}
