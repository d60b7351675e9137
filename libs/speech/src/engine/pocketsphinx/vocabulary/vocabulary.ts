import type { EnglishModel } from '../model.js';
import { knownWords } from './known-words.js';
import type { NewWord } from './language-model.js';
import { countSounds, type Pronouncer, soundsOfTerm, soundsOfWord } from './sounds.js';
import { foreignWays, plainWords, spokenForms, type WrittenWord } from './spoken-forms.js';
import { type Phrase, phrasesOf } from './phrases.js';
import { likelihoodOf, longEnough } from './weights.js';

/** A term, or a word of one, that the engine listens for under a name of its own. */
export interface ListedTerm {
  /** The words as the caller wrote them, and how long each is among them, in sounds. */
  texts: string[];
  lengths: number[];
}

/** What the terms of a job come down to. */
export interface Vocabulary {
  /** Lines for the pronouncing dictionary. */
  dictionary: string;
  /** For the language model. */
  words: NewWord[];
  /** By the name that the engine prints. */
  listed: ReadonlyMap<string, ListedTerm>;
  /** Terms as they look when the engine hears them as usual words. */
  phrases: Phrase[];
  /** How many terms cannot be listened for. */
  unusedTerms: number;
}

/** A word this unlikely in a text is one that people may say in more ways than the dictionary has. */
const RARE = 1e-5;

interface SaidTerm {
  words: SaidWord[];
}

interface SaidWord extends WrittenWord {
  /** In all ways, also those of other languages. */
  sounds: string[];
  /** As read in English. */
  usualSounds: string[];
}

/**
 * Finds out how the terms sound and how they are to be listened for. Terms that differ in case only count as one, and
 * the first stands. `folder` is for the files of outside programs.
 *
 * Throws `LanguageModelUnknown` or the reason of the abort.
 */
export async function prepareVocabulary(
  terms: readonly string[],
  model: EnglishModel,
  folder: string,
  signal: AbortSignal,
): Promise<Vocabulary> {
  const distinct = withoutDoubles(terms);
  const known = knownWords(model);
  const usual = await known.likelihoods();
  const isRare = (word: string) => (usual.get(word) ?? 0) < RARE;
  const forms = distinct
    .map(spokenForms)
    .filter((form) => form !== null)
    .map((form) =>
      form.map((word) => ({ ...word, foreign: foreignWays(word.text, (each) => !isRare(each)) })),
    );
  const words = new Set(
    forms.flat().flatMap(({ ways, foreign }) => [...plainWords(ways), ...plainWords(foreign)]),
  );
  const entries = await known.soundsOf(words);
  // The dictionary has one sound for a name that people say in several ways.
  const guesses = await known.guessesOf([...words].filter(isRare), folder, signal);
  const pronounce: Pronouncer = (word) => [
    ...new Set([...(entries.get(word) ?? []), ...(guesses.get(word) ?? [])]),
  ];

  const said = forms
    .map((form) => ({
      words: form.map(({ text, ways, foreign }) => {
        const usualSounds = soundsOfWord({ text, ways }, pronounce);
        const all = { text, ways: [...ways, ...foreign] };
        return {
          text,
          ways,
          usualSounds,
          sounds: foreign.length > 0 ? soundsOfWord(all, pronounce) : usualSounds,
        };
      }),
    }))
    .filter((term) => term.words.every(({ sounds }) => sounds.length > 0));
  return {
    ...listen(said, usual),
    phrases: phrasesOf(said, usual),
    unusedTerms: distinct.length - said.length,
  };
}

/** Names and likelihoods for all terms, and for words of theirs that the engine does not know. */
function listen(
  terms: readonly SaidTerm[],
  usual: ReadonlyMap<string, number>,
): Omit<Vocabulary, 'phrases' | 'unusedTerms'> {
  const parts = terms.flatMap(({ words }) =>
    words.length > 1 ? words.filter((word) => !isUsual(word, usual)) : [],
  );
  const wanted = new Map<string, SaidTerm>();
  for (const term of [...terms, ...parts.map((word) => ({ words: [word] }))]) {
    const written = term.words.map(({ text }) => text.toLowerCase()).join(' ');
    if (!wanted.has(written)) wanted.set(written, term);
  }
  const lines: string[] = [];
  const words: NewWord[] = [];
  const listed = new Map<string, ListedTerm>();
  for (const [written, term] of wanted) {
    const sounds = longEnough(soundsOfTerm(term.words.map((word) => word.sounds)));
    // A foreign way that is short is one more way of a name, and makes the name no shorter.
    const usually = longEnough(soundsOfTerm(term.words.map((word) => word.usualSounds)));
    const probability = likelihoodOf(usually.length > 0 ? usually : sounds, usual.get(written) ?? 0);
    if (probability === null) continue;
    // No word of the dictionary has a colon.
    const name = `term:${listed.size}`;
    lines.push(...sounds.map((sound, at) => `${at === 0 ? name : `${name}(${at + 1})`} ${sound}\n`));
    words.push({ word: name, probability });
    const lengths = term.words.map((word) => countSounds(word.sounds[0] ?? ''));
    listed.set(name, { texts: term.words.map(({ text }) => text), lengths });
  }
  return { dictionary: lines.join(''), words, listed };
}

/** The engine knows some way of saying it without our help. */
function isUsual({ ways }: WrittenWord, usual: ReadonlyMap<string, number>): boolean {
  return ways.some((way) => way.every((spoken) => 'word' in spoken && usual.has(spoken.word)));
}

function withoutDoubles(terms: readonly string[]): string[] {
  const distinct = new Map<string, string>();
  for (const term of terms) {
    const key = term.trim().toLowerCase();
    if (!distinct.has(key)) distinct.set(key, term);
  }
  return [...distinct.values()];
}
