import { tagWithLikelyEspeakVoices } from '../engine/pocketsphinx/vocabulary/foreign-orthography.js';
import { guessPhonemesByText, toSpeakableText } from './espeak-pronouncer.js';
import type { WordListLanguage } from './language-word-lists.js';
import type { Phonemes } from './phoneme-distance.js';

/** A term of the caller, as it may sound in one language. */
export interface TermWithPronunciations {
  /** Words as the caller wrote them. */
  parts: readonly string[];
  /** The same in lower case. */
  keys: readonly string[];
  /** Ways to say it, each with the phonemes of every word. */
  readings: readonly (readonly Phonemes[])[];
}

export interface PronouncedTermsWithUnreadableCount {
  terms: readonly TermWithPronunciations[];
  /** How many of the terms nobody can read in this language. */
  unreadable: number;
}

/** Names of products are often said as in English, whatever the language around them. */
const ENGLISH_VOICE = 'en-us';
const LATIN = /\p{Script=Latin}/u;
/** Terms are said in few words; longer ones are sentences. */
const MAX_PARTS = 8;

/**
 * Terms are read in the language around them, in English, and in the language whose spelling a word of theirs has.
 * @param terms as the caller wrote them @param sample words of the language, which show its script
 * @throws the reason of the abort
 */
export async function pronounceTerms(
  terms: readonly string[],
  { voice }: WordListLanguage,
  sample: string,
  signal: AbortSignal,
): Promise<PronouncedTermsWithUnreadableCount> {
  const written = new Map<string, string[]>();
  for (const term of terms) {
    const parts = term.trim().split(/\s+/);
    const key = parts.join(' ').toLowerCase();
    if (!written.has(key)) written.set(key, parts);
  }
  const readable = [...written.values()].filter(
    (parts) => parts.length <= MAX_PARTS && parts.every((part) => isReadable(part, sample)),
  );
  const voices = new Map<string, Set<string>>([[voice, new Set(readable.flat())]]);
  const addVoice = (name: string, parts: readonly string[]): void => {
    const texts = voices.get(name) ?? new Set();
    for (const part of parts) texts.add(part);
    voices.set(name, texts);
  };
  for (const parts of readable) for (const name of listForeignVoices(parts)) addVoice(name, parts);
  const pronounced = new Map<string, Map<string, Phonemes>>();
  for (const [name, texts] of voices) pronounced.set(name, await guessPhonemesByText(texts, name, signal));
  const spoken = readable
    .map((parts) => ({
      parts,
      keys: parts.map((part) => part.toLowerCase()),
      readings: [...new Set([voice, ...listForeignVoices(parts)])].flatMap((name) => {
        const phonemes = parts.flatMap((part) => {
          const found = pronounced.get(name)?.get(part);
          return found ? [found] : [];
        });
        return phonemes.length === parts.length ? [phonemes] : [];
      }),
    }))
    .filter(({ readings }) => readings.length > 0);
  return { terms: spoken, unreadable: written.size - spoken.length };
}

/** Latin letters are read in every language, other scripts only in their own. */
function isReadable(part: string, sample: string): boolean {
  if (toSpeakableText(part) === '') return false;
  return !/\p{L}/u.test(part) || LATIN.test(part) || haveSameScript(part, sample);
}

const SCRIPTS = ['Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Bengali', 'Hangul'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
);

function haveSameScript(one: string, other: string): boolean {
  return SCRIPTS.some((script) => script.test(one) && script.test(other));
}

function listForeignVoices(parts: readonly string[]): string[] {
  const named = parts.flatMap((part) =>
    tagWithLikelyEspeakVoices(part.normalize('NFC').toLowerCase()).map((each) => each.split(':')[0] ?? ''),
  );
  return LATIN.test(parts.join('')) ? [ENGLISH_VOICE, ...new Set(named)] : [];
}
