import { LETTER_PRONUNCIATIONS } from './phones.js';
import type { SpokenUnit, WrittenWord } from './spoken-forms.js';

/** The sounds of a word by its lower-case letters; each sound is `AH N D`, the likeliest first. */
export type Pronouncer = (word: string) => readonly string[];

/** Sounds kept for one word, and for one term: each costs the search. */
const MAX_WORD_PRONUNCIATIONS = 6;
const MAX_TERM_PRONUNCIATIONS = 8;

/** All sounds of a written word in all its ways, without doubles; empty when it cannot be said. */
export function pronounceWord({ ways }: WrittenWord, pronounce: Pronouncer): string[] {
  const sounds = ways.map((way) =>
    combineLikeliest(
      way.map((spoken) => pronounceUnit(spoken, pronounce)),
      MAX_WORD_PRONUNCIATIONS,
    ),
  );
  return [...new Set(interleave(sounds))].slice(0, MAX_WORD_PRONUNCIATIONS);
}

/** All sounds of words said one after the other; empty when one of them cannot be said. */
export function pronounceTerm(words: readonly (readonly string[])[]): string[] {
  return combineLikeliest(words, MAX_TERM_PRONUNCIATIONS);
}

export function countPhones(sound: string): number {
  return sound.split(' ').length;
}

function pronounceUnit(spoken: SpokenUnit, pronounce: Pronouncer): readonly string[] {
  if ('word' in spoken) return pronounce(spoken.word);
  return [[...spoken.letters].map((letter) => LETTER_PRONUNCIATIONS[letter] ?? '').join(' ')];
}

/**
 * Choices of one sound for each part, at most `most`: those with the first sounds first, by the sum of their places. What
 * is cut after a part would also be cut at the end.
 */
function combineLikeliest(parts: readonly (readonly string[])[], most: number): string[] {
  let chosen = [{ sound: '', place: 0 }];
  for (const choices of parts) {
    chosen = choices
      .flatMap((choice, at) =>
        chosen.map(({ sound, place }) => ({ sound: `${sound} ${choice}`.trim(), place: place + at })),
      )
      .toSorted((a, b) => a.place - b.place)
      .slice(0, most);
  }
  return chosen.map(({ sound }) => sound).filter((sound) => sound !== '');
}

/** The first of each list, then the second of each. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** What has fewer sounds than this is in half of all sentences by chance. */
const MIN_PHONES = 3;
/** By the number of sounds, from `MIN_PHONES` on; longer terms have the last. */
const PROBABILITIES = [1e-6, 1e-5, 1e-4, 1e-4, 1e-3];

/** The sounds that are long enough to be listened for: of `US`, how the letters are named, but not how `us` sounds. */
export function dropShortPronunciations(sounds: readonly string[]): string[] {
  return sounds.filter((sound) => countPhones(sound) >= MIN_PHONES);
}

/**
 * How likely a term is made at any place of the text, 0 to 1, from its shortest sound: the shorter, the more easily it
 * is heard where something else was said. Null when there is none, or `usual` (how likely it is anyway) is more.
 */
export function termProbability(sounds: readonly string[], usual: number): number | null {
  if (sounds.length === 0) return null;
  const shortest = Math.min(...sounds.map(countPhones));
  const raised = PROBABILITIES[Math.min(shortest - MIN_PHONES, PROBABILITIES.length - 1)] ?? 0;
  return raised > usual ? raised : null;
}
