import type { EnglishModel } from '../installation.js';
import { lexiconOf } from './model-lexicon.js';
import type { AddedWord } from './language-model.js';
import {
  countPhones,
  dropShortPronunciations,
  type Pronouncer,
  pronounceTerm,
  pronounceWord,
  termProbability,
} from './pronunciations.js';
import { findForeignForms, wordsInForms, findSpokenForms, type WrittenWord } from './spoken-forms.js';
import { type TermPhrase, buildTermPhrases } from './term-phrases.js';

/** A term, or a word of one, that the engine listens for under a name of its own. */
export interface TermEntry {
  /** The words as the caller wrote them, and how long each is among them, in sounds. */
  texts: string[];
  lengths: number[];
}

/** What the terms of a job come down to. */
export interface Vocabulary {
  /** Lines for the pronouncing dictionary. */
  dictionary: string;
  /** For the language model. */
  addedWords: AddedWord[];
  /** By the name that the engine prints. */
  listed: ReadonlyMap<string, TermEntry>;
  /** Terms as they look when the engine hears them as usual words. */
  phrases: TermPhrase[];
  /** How many terms cannot be listened for. */
  unusedTerms: number;
}

/** A word this unlikely in a text is one that people may say in more ways than the dictionary has. */
const MAX_RARE_PROBABILITY = 1e-5;

interface PronouncedTerm {
  words: PronouncedWord[];
}

interface PronouncedWord extends WrittenWord {
  /** In all ways, also those of other languages. */
  sounds: string[];
  /** As read in English. */
  usualSounds: string[];
}

/**
 * Finds out how the terms sound and how they are to be listened for. Terms that differ in case only count as one, and
 * the first stands. `folder` is for the files of outside programs.
 *
 * Throws `UnsupportedLanguageModelError` or the reason of the abort.
 */
export async function prepareVocabulary(
  terms: readonly string[],
  model: EnglishModel,
  folder: string,
  signal: AbortSignal,
): Promise<Vocabulary> {
  const distinct = deduplicateTerms(terms);
  const known = lexiconOf(model);
  const usual = await known.unigramProbabilities();
  const isRare = (word: string) => (usual.get(word) ?? 0) < MAX_RARE_PROBABILITY;
  const forms = distinct
    .map(findSpokenForms)
    .filter((form) => form !== null)
    .map((form) =>
      form.map((word) => ({ ...word, foreign: findForeignForms(word.text, (each) => !isRare(each)) })),
    );
  const words = new Set(
    forms.flat().flatMap(({ ways, foreign }) => [...wordsInForms(ways), ...wordsInForms(foreign)]),
  );
  const entries = await known.findPronunciations(words);
  // The dictionary has one sound for a name that people say in several ways.
  const guesses = await known.guessPronunciations([...words].filter(isRare), folder, signal);
  const pronounce: Pronouncer = (word) => [
    ...new Set([...(entries.get(word) ?? []), ...(guesses.get(word) ?? [])]),
  ];

  const said = forms
    .map((form) => ({
      words: form.map(({ text, ways, foreign }) => {
        const usualSounds = pronounceWord({ text, ways }, pronounce);
        const all = { text, ways: [...ways, ...foreign] };
        return {
          text,
          ways,
          usualSounds,
          sounds: foreign.length > 0 ? pronounceWord(all, pronounce) : usualSounds,
        };
      }),
    }))
    .filter((term) => term.words.every(({ sounds }) => sounds.length > 0));
  return {
    ...buildEntries(said, usual),
    phrases: buildTermPhrases(said, usual),
    unusedTerms: distinct.length - said.length,
  };
}

/** Names and likelihoods for all terms, and for words of theirs that the engine does not know. */
function buildEntries(
  terms: readonly PronouncedTerm[],
  usual: ReadonlyMap<string, number>,
): Omit<Vocabulary, 'phrases' | 'unusedTerms'> {
  const parts = terms.flatMap(({ words }) =>
    words.length > 1 ? words.filter((word) => !isInLanguageModel(word, usual)) : [],
  );
  const wanted = new Map<string, PronouncedTerm>();
  for (const term of [...terms, ...parts.map((word) => ({ words: [word] }))]) {
    const written = term.words.map(({ text }) => text.toLowerCase()).join(' ');
    if (!wanted.has(written)) wanted.set(written, term);
  }
  const lines: string[] = [];
  const words: AddedWord[] = [];
  const listed = new Map<string, TermEntry>();
  for (const [written, term] of wanted) {
    const sounds = dropShortPronunciations(pronounceTerm(term.words.map((word) => word.sounds)));
    // A foreign way that is short is one more way of a name, and makes the name no shorter.
    const usually = dropShortPronunciations(pronounceTerm(term.words.map((word) => word.usualSounds)));
    const probability = termProbability(usually.length > 0 ? usually : sounds, usual.get(written) ?? 0);
    if (probability === null) continue;
    // No word of the dictionary has a colon.
    const name = `term:${listed.size}`;
    lines.push(...sounds.map((sound, at) => `${at === 0 ? name : `${name}(${at + 1})`} ${sound}\n`));
    words.push({ word: name, probability });
    const lengths = term.words.map((word) => countPhones(word.sounds[0] ?? ''));
    listed.set(name, { texts: term.words.map(({ text }) => text), lengths });
  }
  return { dictionary: lines.join(''), addedWords: words, listed };
}

/** The engine knows some way of saying it without our help. */
function isInLanguageModel({ ways }: WrittenWord, usual: ReadonlyMap<string, number>): boolean {
  return ways.some((way) => way.every((spoken) => 'word' in spoken && usual.has(spoken.word)));
}

function deduplicateTerms(terms: readonly string[]): string[] {
  const distinct = new Map<string, string>();
  for (const term of terms) {
    const key = term.trim().toLowerCase();
    if (!distinct.has(key)) distinct.set(key, term);
  }
  return [...distinct.values()];
}
