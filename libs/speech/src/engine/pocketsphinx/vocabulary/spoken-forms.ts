import { respellForEnglish } from './english-respelling.js';

/** Something said in one breath: a word, or the names of letters one after the other (`letters` in lower case). */
export type SpokenUnit = { word: string } | { letters: string };

/** One written word of a term, with the ways in which it may be said. */
export interface WrittenWord {
  /** As the caller wrote it. */
  text: string;
  /** Each way is what is said in order; never empty. */
  ways: SpokenUnit[][];
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '&': 'and',
  '+': 'plus',
  '@': 'at',
  '%': 'percent',
  '#': 'sharp',
};
/** Letters that carry no accent but are no plain Latin letters either. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i' },
  ...{ ð: 'd', þ: 'th', Þ: 'Th', '’': "'", '‘': "'" },
};
const PIECES = /[A-Za-z]+(?:'[A-Za-z]+)*|\d+|[&+@%#]/g;
/** Capitals that stand for their names: K P M G. */
const INITIALS = /^[A-Z]{2,6}$/;
/** What has fewer letters is seldom a name, and often initials. */
const NAME = /\p{L}{4,}/gu;
/** No vowel: js, TCP, html. */
const WITHOUT_VOWEL = /^[^aeiouy']{2,5}$/i;
/** Ways of one word beyond this many are not tried: each costs the search. */
const MAX_FORMS = 4;
const MAX_TERM_WORDS = 8;

/**
 * How the words of a term may be said; null for a term that cannot be said in English: other scripts, no letter or
 * digit at all, or more than eight words.
 */
export function findSpokenForms(term: string): WrittenWord[] | null {
  const texts = term.trim().split(/\s+/);
  if (texts.length > MAX_TERM_WORDS) return null;
  const words: WrittenWord[] = [];
  for (const text of texts) {
    const plain = transliterate(text);
    if (plain === null) return null;
    const ways = formsOfText(plain);
    // A dash or another mark between words is not said.
    if (ways.length > 0) words.push({ text, ways });
  }
  return words.length > 0 ? words : null;
}

/**
 * The ways in which a written word is said by those who know the language that it is spelled in; none for most words. Each
 * name in it is taken for itself, and stays as it is where a part of it `isCommon` (asked in lower case, without accents):
 * `school` is no German.
 */
export function findForeignForms(text: string, isCommon: (word: string) => boolean): SpokenUnit[][] {
  const written = text.normalize('NFC');
  const languages = [0, 1].map((at) =>
    written.replace(NAME, (letters) => foreignSpellingsOf(letters, isCommon)[at] ?? letters),
  );
  return languages
    .filter((said) => said !== written)
    .flatMap((said) => formsOfText(transliterate(said) ?? ''));
}

/** The words among what is said. */
export function wordsInForms(ways: readonly SpokenUnit[][]): string[] {
  return ways.flat().flatMap((spoken) => ('word' in spoken ? [spoken.word] : []));
}

/** Initials have none, nor has what would be spelled letter by letter: those would not be its own. */
function foreignSpellingsOf(letters: string, isCommon: (word: string) => boolean): string[] {
  const spellings = respellForEnglish(letters.toLowerCase());
  // Most words have none, and are not looked at any further.
  const plain = spellings.length > 0 ? transliterate(letters) : null;
  if (plain === null || INITIALS.test(plain) || wordsInForms(formsOfText(plain)).some(isCommon)) return [];
  return spellings.filter((said) => !WITHOUT_VOWEL.test(transliterate(said) ?? ''));
}

/** Without accents; null when letters or digits of another script are left. */
function transliterate(text: string): string | null {
  const plain = [...text.normalize('NFD').replace(/\p{M}/gu, '')]
    .map((one) => SPELLINGS[one] ?? one)
    .join('');
  return /[^\P{L}A-Za-z]|[^\P{N}0-9]/u.test(plain) ? null : plain;
}

function formsOfText(plain: string): SpokenUnit[][] {
  const pieces = plain.match(PIECES) ?? [];
  if (pieces.length === 0) return [];
  // K-P-M-G and U.S. are spelled like KPMG.
  if (pieces.length > 1 && pieces.every((piece) => /^[A-Za-z]$/.test(piece)))
    return [[{ letters: pieces.join('').toLowerCase() }]];
  const dotted = /\w\.\w/.test(plain);
  const ways = combine(pieces.map((piece) => formsOfPiece(piece, pieces.length > 1)));
  return dotted && pieces.length > 1 ? [...formsWithDots(plain), ...ways].slice(0, MAX_FORMS) : ways;
}

/** Node dot js. */
function formsWithDots(plain: string): SpokenUnit[][] {
  const sides = plain.split('.').filter((side) => side !== '');
  const ways = sides.map(
    (side) => combine((side.match(PIECES) ?? []).map((piece) => formsOfPiece(piece, true)))[0] ?? [],
  );
  return [ways.flatMap((way, index) => (index === 0 ? way : [{ word: 'dot' }, ...way]))];
}

function formsOfPiece(piece: string, among: boolean): SpokenUnit[][] {
  const symbol = SYMBOLS[piece];
  if (symbol !== undefined) return [[{ word: symbol }]];
  if (/^\d/.test(piece)) return spellOutDigits(piece).map((words) => words.map((word) => ({ word })));
  if (piece.length === 1 && among) return [[{ letters: piece.toLowerCase() }]];
  return formsOfLetters(piece);
}

/** `eBay`, `iOS`, `DataForge`: as one word, and part by part. */
function formsOfLetters(letters: string): SpokenUnit[][] {
  const whole: SpokenUnit = { word: letters.toLowerCase() };
  if (letters.length === 1) return [[{ letters: letters.toLowerCase() }]];
  if (INITIALS.test(letters) || WITHOUT_VOWEL.test(letters))
    return [[{ letters: letters.toLowerCase() }], [whole]];
  if (letters.includes("'")) return [[whole]];
  const parts = letters.match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  if (parts.length < 2 || parts.length > 4) return [[whole]];
  return [[whole], parts.map(partOf)];
}

function partOf(part: string): SpokenUnit {
  const letters = part.toLowerCase();
  return part.length === 1 || INITIALS.test(part) ? { letters } : { word: letters };
}

/** Every choice of one way for each piece, the first ways first, at most `MAX_FORMS`. */
function combine(pieces: readonly SpokenUnit[][][]): SpokenUnit[][] {
  let ways: SpokenUnit[][] = [[]];
  for (const choices of pieces) {
    ways = choices.flatMap((choice) => ways.map((way) => [...way, ...choice])).slice(0, MAX_FORMS);
  }
  return ways;
}

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** The ways in which a run of digits may be said, each as its words: as a number, in pairs (`2024`, `747`), digit by digit. */
export function spellOutDigits(digits: string): string[][] {
  const ways = [asPairs(digits), asNumber(digits), [...digits].map((digit) => UNITS[Number(digit)] ?? '')];
  const said = ways.filter((words) => words.length > 0);
  return [...new Map(said.map((words) => [words.join(' '), words])).values()];
}

function asNumber(digits: string): string[] {
  const value = Number(digits);
  if (digits.length > 4 || digits !== String(value)) return [];
  if (value < 100) return belowHundred(value);
  const [large, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const rest = value % large;
  return [...asNumber(String(Math.floor(value / large))), name, ...(rest > 0 ? asNumber(String(rest)) : [])];
}

/** Nineteen eighty four, seven forty seven. */
function asPairs(digits: string): string[] {
  if (digits.length !== 3 && digits.length !== 4) return [];
  const [front, back] = [digits.slice(0, -2), digits.slice(-2)];
  if (front.startsWith('0') || Number(back) < 10) return [];
  return [...belowHundred(Number(front)), ...belowHundred(Number(back))];
}

function belowHundred(value: number): string[] {
  if (value < 20) return [UNITS[value] ?? ''];
  const tens = TENS[Math.floor(value / 10) - 2] ?? '';
  return value % 10 === 0 ? [tens] : [tens, UNITS[value % 10] ?? ''];
}
