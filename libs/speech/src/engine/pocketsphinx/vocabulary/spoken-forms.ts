import { respellForEnglish } from './english-respelling.js';

/** A unit of speech: a word, or letters that are spelled out (in lower case). */
export type SpokenUnit = { word: string } | { letters: string };

/** A written word with alternative spoken forms. */
export interface WrittenWord {
  /** As the caller wrote it. */
  text: string;
  /** Each form is a sequence of units; never empty. */
  spokenForms: SpokenUnit[][];
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '&': 'and',
  '+': 'plus',
  '@': 'at',
  '%': 'percent',
  '#': 'sharp',
};
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

/** The spoken forms of each word; null for terms in other scripts, without letters and digits, or of more than eight words. */
export function findSpokenForms(term: string): WrittenWord[] | null {
  const texts = term.trim().split(/\s+/);
  if (texts.length > MAX_TERM_WORDS) return null;
  const words: WrittenWord[] = [];
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
 * @param isCommon identifies English words (in lower case, without accents), which are not respelled: `school` is not German
 */
export function findForeignForms(text: string, isCommon: (word: string) => boolean): SpokenUnit[][] {
  const written = text.normalize('NFC');
  const languages = [0, 1].map((at) =>
    written.replace(NAME, (letters) => foreignSpellingsOf(letters, isCommon)[at] ?? letters),
  );
  return languages
    .filter((respelled) => respelled !== written)
    .flatMap((respelled) => formsOfText(transliterate(respelled) ?? ''));
}

/** The words of all forms, without spelled letters. */
export function wordsInForms(forms: readonly SpokenUnit[][]): string[] {
  return forms.flat().flatMap((spoken) => ('word' in spoken ? [spoken.word] : []));
}

/** None for initials, and none that would have to be spelled out. */
function foreignSpellingsOf(letters: string, isCommon: (word: string) => boolean): string[] {
  const spellings = respellForEnglish(letters.toLowerCase());
  // Skips the work for most words, which have no respelling.
  const plain = spellings.length > 0 ? transliterate(letters) : null;
  if (plain === null || INITIALS.test(plain) || wordsInForms(formsOfText(plain)).some(isCommon)) return [];
  return spellings.filter((respelled) => !WITHOUT_VOWEL.test(transliterate(respelled) ?? ''));
}

/** Removes accents; null when letters or digits of another script remain. */
function transliterate(text: string): string | null {
  const plain = [...text.normalize('NFD').replace(/\p{M}/gu, '')]
    .map((one) => SPELLINGS[one] ?? one)
    .join('');
  return /[^\P{L}A-Za-z]|[^\P{N}0-9]/u.test(plain) ? null : plain;
}

function formsOfText(plain: string): SpokenUnit[][] {
  const pieces = plain.match(PIECES) ?? [];
  if (pieces.length === 0) return [];
  // K-P-M-G and U.S. are spelled out like KPMG.
  if (pieces.length > 1 && pieces.every((piece) => /^[A-Za-z]$/.test(piece)))
    return [[{ letters: pieces.join('').toLowerCase() }]];
  const dotted = /\w\.\w/.test(plain);
  const forms = combine(pieces.map((piece) => formsOfPiece(piece, pieces.length > 1)));
  return dotted && pieces.length > 1 ? [...formsWithDots(plain), ...forms].slice(0, MAX_FORMS) : forms;
}

/** Reads the dots aloud: node dot js. */
function formsWithDots(plain: string): SpokenUnit[][] {
  const sides = plain.split('.').filter((side) => side !== '');
  const forms = sides.map(
    (side) => combine((side.match(PIECES) ?? []).map((piece) => formsOfPiece(piece, true)))[0] ?? [],
  );
  return [forms.flatMap((form, index) => (index === 0 ? form : [{ word: 'dot' }, ...form]))];
}

function formsOfPiece(piece: string, hasNeighbours: boolean): SpokenUnit[][] {
  const symbol = SYMBOLS[piece];
  if (symbol !== undefined) return [[{ word: symbol }]];
  if (/^\d/.test(piece)) return spellOutDigits(piece).map((words) => words.map((word) => ({ word })));
  if (piece.length === 1 && hasNeighbours) return [[{ letters: piece.toLowerCase() }]];
  return formsOfLetters(piece);
}

/** Camel case (`eBay`, `iOS`, `DataForge`): as one word, and part by part. */
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

/** Combines one form per piece, first forms first, at most `MAX_FORMS`. */
function combine(pieces: readonly SpokenUnit[][][]): SpokenUnit[][] {
  let forms: SpokenUnit[][] = [[]];
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

/** Ways to read digits aloud: in pairs (`2024`, `747`), as a number, digit by digit. */
export function spellOutDigits(digits: string): string[][] {
  const forms = [
    readAsPairs(digits),
    readAsNumber(digits),
    [...digits].map((digit) => UNITS[Number(digit)] ?? ''),
  ];
  const said = forms.filter((words) => words.length > 0);
  return [...new Map(said.map((words) => [words.join(' '), words])).values()];
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
  const [front, back] = [digits.slice(0, -2), digits.slice(-2)];
  if (front.startsWith('0') || Number(back) < 10) return [];
  return [...readBelowHundred(Number(front)), ...readBelowHundred(Number(back))];
}

function readBelowHundred(value: number): string[] {
  if (value < 20) return [UNITS[value] ?? ''];
  const tens = TENS[Math.floor(value / 10) - 2] ?? '';
  return value % 10 === 0 ? [tens] : [tens, UNITS[value % 10] ?? ''];
}
