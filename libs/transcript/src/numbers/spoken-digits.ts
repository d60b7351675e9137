import { getNumberWords } from './number-words.js';

/** These stand between the parts of one number word. */
const HYPHENATED_CONJUNCTIONS = new Set(['et', 'y', 'and']);
const UNIT = /^[1-9]$/;
const TENS = /^[2-9]0$/;
/** A map, because people also say the names of properties that every object has, such as “constructor”. */
const REPEATED: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
  ['doppel', 2],
  ['doppelt', 2],
]);
/** English speakers say these for a zero, but only among other digits: not in “oh, five people”. */
const LETTERS_READ_AS_ZERO = new Set(['oh', 'o']);

/**
 * The digits that a word stands for; null for another word. English, German, French and Spanish, without punctuation.
 * @param language first part of a BCP 47 tag; null for all four
 */
export function parseSpokenDigits(word: string, language: string | null): string | null {
  const lower = word.toLowerCase();
  const { digitsByWord } = getNumberWords(language);
  const digits = digitsByWord.get(lower);
  if (digits !== undefined) return digits;
  const parts = lower.split('-').filter((part) => !HYPHENATED_CONJUNCTIONS.has(part));
  if (lower.includes('-')) {
    const read = parts.map((part) => digitsByWord.get(part));
    return parts.length > 0 && read.every((part) => part !== undefined) ? joinSpokenDigits(read) : null;
  }
  return language === null || language === 'de' ? parseGermanCompound(lower) : null;
}

/** Written in one word, such as `einundzwanzig`. */
function parseGermanCompound(lower: string): string | null {
  const [unit = '', tens = '', ...rest] = lower.split('und');
  const { digitsByWord } = getNumberWords('de');
  const unitDigits = unit === 'ein' ? '1' : (digitsByWord.get(unit) ?? '');
  const tensDigits = digitsByWord.get(tens) ?? '';
  if (rest.length > 0 || !UNIT.test(unitDigits) || !TENS.test(tensDigits)) return null;
  return tensDigits.slice(0, 1) + unitDigits;
}

/** “forty two” is 42, not 402. */
function joinSpokenDigits(parts: readonly string[]): string {
  let joined = '';
  let previous = '';
  for (const part of parts) {
    const isUnitOfTens = TENS.test(previous) && UNIT.test(part);
    joined = isUnitOfTens ? joined.slice(0, -1) + part : joined + part;
    previous = part;
  }
  return joined;
}

/** The digits of one number, as they are said. */
export class SpokenDigitsBuilder {
  private readonly parts: string[] = [];
  private repeat = 1;

  /** @param count such as 2 for “double”, of the next part */
  repeatNext(count: number): void {
    this.repeat = count;
  }

  add(part: string): void {
    this.parts.push(part.repeat(this.repeat));
    this.repeat = 1;
  }

  join(): string {
    return joinSpokenDigits(this.parts);
  }
}

/** “thousand” and “million”, with which people say amounts. */
export function isThousandOrMillionWord(word: string, language: string | null): boolean {
  return (getNumberWords(language).digitsByWord.get(word.toLowerCase()) ?? '').startsWith('000');
}

/** Whether the word alone usually counts nothing. */
export function isAmbiguousNumberWord(word: string, language: string | null): boolean {
  return getNumberWords(language).ambiguous.has(word.toLowerCase());
}

/** Whether an English speaker may mean a zero by “oh” or “o”. In other languages “o” is a word. */
export function isLetterReadAsZero(word: string): boolean {
  return LETTERS_READ_AS_ZERO.has(word.toLowerCase());
}

/** 2 for `double`; null for another word. */
export function parseDigitRepeatCount(word: string): number | null {
  return REPEATED.get(word.toLowerCase()) ?? null;
}
