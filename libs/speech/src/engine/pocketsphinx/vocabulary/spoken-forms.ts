import { tagWithLikelyEspeakVoices, isWordTaggedWithEspeakVoice } from './foreign-orthography.js';

export interface WordWithSpokenForms {
  /** As the caller wrote it. */
  text: string;
  /** Each form is a sequence of dictionary words; never empty. Letters that are spelled out are words such as `k.`. */
  spokenForms: string[][];
}

/** A map, because a term may have the name of a property that every object has, such as `constructor`. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['&', 'and'],
  ['+', 'plus'],
  ['@', 'at'],
  ['%', 'percent'],
  ['#', 'sharp'],
]);
/** Letters that Unicode normalization does not decompose. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i' },
  ...{ ð: 'd', þ: 'th', Þ: 'Th', '’': "'", '‘': "'" },
};
const PIECES = /[A-Za-z]+(?:'[A-Za-z]+)*|\d+|[&+@%#]/g;
/** Capitals that may be spelled out: KPMG. */
const INITIALS = /^[A-Z]{2,6}$/;
/** Shorter words are rarely foreign names, and often initials. */
const NAME = /\p{L}{4,}/gu;
/** No vowel: js, TCP, html. */
const WITHOUT_VOWEL = /^[^aeiouy']{2,5}$/i;
/** Limits the forms of a word, because each slows the search. */
const MAX_FORMS = 4;
const MAX_TERM_WORDS = 8;

/** Null for terms in other scripts, without letters and digits, or of more than eight words. */
export function findSpokenFormsPerTermWord(term: string): WordWithSpokenForms[] | null {
  const texts = term.trim().split(/\s+/);
  if (texts.length > MAX_TERM_WORDS) return null;
  const words: WordWithSpokenForms[] = [];
  for (const text of texts) {
    const plain = transliterate(text);
    if (plain === null) return null;
    const spokenForms = formsOfText(plain);
    // A dash between words is silent.
    if (spokenForms.length > 0) words.push({ text, spokenForms });
  }
  return words.length > 0 ? words : null;
}

/**
 * Spoken forms of words that are spelled like another language; none for most words.
 * @param isCommon identifies English words (in lower case, without accents), which are not foreign: `school` is not German
 */
export function buildForeignSpokenForms(text: string, isCommon: (word: string) => boolean): string[][] {
  const foreign = new Map<string, string[]>();
  for (const letters of text.normalize('NFC').match(NAME) ?? []) {
    const plain = transliterate(letters);
    if (plain === null || INITIALS.test(plain) || WITHOUT_VOWEL.test(plain)) continue;
    if (
      formsOfText(plain)
        .flat()
        .some((word) => !isSpelledLetter(word) && isCommon(word))
    )
      continue;
    foreign.set(plain.toLowerCase(), tagWithLikelyEspeakVoices(letters.toLowerCase()));
  }
  const forms = formsOfText(transliterate(text) ?? '');
  return [0, 1].flatMap((at) =>
    forms
      .map((form) => form.map((word) => foreign.get(word)?.[at] ?? word))
      .filter((form) => form.some(isWordTaggedWithEspeakVoice)),
  );
}

export function isSpelledLetter(word: string): boolean {
  return word.endsWith('.');
}

/** Null when letters or digits of another script remain. */
function transliterate(text: string): string | null {
  const plain = [...text.normalize('NFD').replace(/\p{M}/gu, '')]
    .map((one) => SPELLINGS[one] ?? one)
    .join('');
  return /[^\P{L}A-Za-z]|[^\P{N}0-9]/u.test(plain) ? null : plain;
}

function formsOfText(plain: string): string[][] {
  const pieces = plain.match(PIECES) ?? [];
  if (pieces.length === 0) return [];
  // K-P-M-G and U.S. are spelled out like KPMG.
  if (pieces.length > 1 && pieces.every((piece) => /^[A-Za-z]$/.test(piece)))
    return [spellLetters(pieces.join(''))];
  const dotted = /\w\.\w/.test(plain);
  const forms = combine(pieces.map((piece) => formsOfPiece(piece, pieces.length > 1)));
  return dotted && pieces.length > 1 ? [...formsWithDots(plain), ...forms].slice(0, MAX_FORMS) : forms;
}

/** Reads the dots aloud: node dot js. */
function formsWithDots(plain: string): string[][] {
  const sides = plain.split('.').filter((side) => side !== '');
  const forms = sides.map(
    (side) => combine((side.match(PIECES) ?? []).map((piece) => formsOfPiece(piece, true)))[0] ?? [],
  );
  return [forms.flatMap((form, index) => (index === 0 ? form : ['dot', ...form]))];
}

function formsOfPiece(piece: string, hasNeighbours: boolean): string[][] {
  const symbol = SYMBOLS.get(piece);
  if (symbol !== undefined) return [[symbol]];
  if (/^\d/.test(piece)) return listDigitReadings(piece);
  if (piece.length === 1 && hasNeighbours) return [spellLetters(piece)];
  return formsOfLetters(piece);
}

/** Camel case (`eBay`, `iOS`, `DataForge`): as one word, and part by part. */
function formsOfLetters(letters: string): string[][] {
  const whole = letters.toLowerCase();
  if (letters.length === 1) return [spellLetters(letters)];
  if (INITIALS.test(letters) || WITHOUT_VOWEL.test(letters)) return [spellLetters(letters), [whole]];
  if (letters.includes("'")) return [[whole]];
  const parts = letters.match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  if (parts.length < 2 || parts.length > 4) return [[whole]];
  return [[whole], parts.flatMap(formOfCamelCasePart)];
}

function formOfCamelCasePart(part: string): string[] {
  return part.length === 1 || INITIALS.test(part) ? spellLetters(part) : [part.toLowerCase()];
}

function spellLetters(letters: string): string[] {
  return [...letters.toLowerCase()].map((letter) => `${letter}.`);
}

/** First forms first, at most `MAX_FORMS`. */
function combine(pieces: readonly string[][][]): string[][] {
  let forms: string[][] = [[]];
  for (const choices of pieces) {
    forms = choices.flatMap((choice) => forms.map((form) => [...form, ...choice])).slice(0, MAX_FORMS);
  }
  return forms;
}

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** `2024` and `747` in pairs, as a number, digit by digit. */
export function listDigitReadings(digits: string): string[][] {
  const forms = [
    readAsPairs(digits),
    readAsNumber(digits),
    [...digits].map((digit) => UNITS[Number(digit)] ?? ''),
  ];
  const readings = forms.filter((words) => words.length > 0);
  return [...new Map(readings.map((words) => [words.join(' '), words])).values()];
}

function readAsNumber(digits: string): string[] {
  const value = Number(digits);
  if (digits.length > 4 || digits !== String(value)) return [];
  if (value < 100) return readBelowHundred(value);
  const [large, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand'];
  const rest = value % large;
  return [
    ...readAsNumber(String(Math.floor(value / large))),
    name,
    ...(rest > 0 ? readAsNumber(String(rest)) : []),
  ];
}

/** Nineteen eighty four, seven forty seven. */
function readAsPairs(digits: string): string[] {
  if (digits.length !== 3 && digits.length !== 4) return [];
  const [leading, trailing] = [digits.slice(0, -2), digits.slice(-2)];
  if (leading.startsWith('0') || Number(trailing) < 10) return [];
  return [...readBelowHundred(Number(leading)), ...readBelowHundred(Number(trailing))];
}

function readBelowHundred(value: number): string[] {
  if (value < 20) return [UNITS[value] ?? ''];
  const tens = TENS[Math.floor(value / 10) - 2] ?? '';
  return value % 10 === 0 ? [tens] : [tens, UNITS[value % 10] ?? ''];
}
