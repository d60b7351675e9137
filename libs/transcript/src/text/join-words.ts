const CHINESE_OR_JAPANESE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3099\u309a\u30fc\uff70`;
const SOUTHEAST_ASIAN = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WIDE_MARKS = String.raw`\u3000-\u3004\u3008-\u3020\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`;
const UNSPACED_SCRIPT = new RegExp(`[${CHINESE_OR_JAPANESE}${SOUTHEAST_ASIAN}${WIDE_MARKS}]`, 'u');
const WIDE_MARK = new RegExp(`[${WIDE_MARKS}]`, 'u');
const CHINESE_OR_JAPANESE_LETTER = new RegExp(`[${CHINESE_OR_JAPANESE}]`, 'u');
const SOUTHEAST_ASIAN_LETTER = new RegExp(`[${SOUTHEAST_ASIAN}]`, 'u');
const BARE_MARKS = /^[,.;:!?…。，、！？；：]+$/u;
const FIRST_LETTER = /[\p{L}\p{N}]/u;
const LAST_LETTER = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u;
const NUMBER = /^\P{L}*\p{N}\P{L}*$/u;
/** If a side is a whole text, only this much of it is read. */
const MAX_WORD_LENGTH = 32;
/** All scripts below the Thai block separate words by spaces. */
const FIRST_UNSPACED = 0x0e00;

export function isUnspacedScriptCharacter(character: string): boolean {
  return (character.codePointAt(0) ?? 0) >= FIRST_UNSPACED && UNSPACED_SCRIPT.test(character);
}

export interface JoinableWord {
  text: string;
  /** The engine has put a space before the word. Only Thai and its neighbours need it: there it parts phrases. */
  spaceBefore?: boolean | undefined;
}

/**
 * The letters on both sides decide, whatever marks are between them. There is no space within scripts without spaces, nor between a
 * number and Chinese or Japanese, but one between different scripts. Words of Thai and its neighbours have the space of the engine.
 */
export function needsSpaceBetween(left: string, { text: right, spaceBefore }: JoinableWord): boolean {
  if (isSpacedLetter(left.charCodeAt(left.length - 1)) && right.charCodeAt(0) < FIRST_UNSPACED)
    return !BARE_MARKS.test(right);
  if (BARE_MARKS.test(right) || WIDE_MARK.test(left.at(-1) ?? '') || WIDE_MARK.test(right.at(0) ?? ''))
    return false;
  if (isWithinUnspacedText(left, right))
    return spaceBefore === true && SOUTHEAST_ASIAN_LETTER.test(firstLetterOf(right));
  const isNumberBeside =
    (CHINESE_OR_JAPANESE_LETTER.test(lastLetterOf(left)) && NUMBER.test(right.slice(0, MAX_WORD_LENGTH))) ||
    (NUMBER.test(left.slice(-MAX_WORD_LENGTH)) && CHINESE_OR_JAPANESE_LETTER.test(firstLetterOf(right)));
  return !isNumberBeside;
}

/** Whether the letters on both sides are of scripts without spaces. */
export function isWithinUnspacedText(left: string, right: string): boolean {
  return isUnspacedScriptCharacter(lastLetterOf(left)) && isUnspacedScriptCharacter(firstLetterOf(right));
}

function lastLetterOf(text: string): string {
  return LAST_LETTER.exec(text.slice(-MAX_WORD_LENGTH))?.[0] ?? '';
}

function firstLetterOf(text: string): string {
  return FIRST_LETTER.exec(text.slice(0, MAX_WORD_LENGTH))?.[0] ?? '';
}

/** Thai and its neighbours write a space between sentences instead of a full stop. */
export function needsSpaceBetweenSentences(left: string, right: string): boolean {
  return SOUTHEAST_ASIAN_LETTER.test(lastLetterOf(left)) || needsSpaceBetween(left, { text: right });
}

/** No space before a bare mark, or in scripts without spaces but for those between phrases. */
export function joinWords(words: readonly JoinableWord[]): string {
  return join(words, needsSpaceBetween);
}

/** Like `joinWords`, with a space between the sentences of Thai and its neighbours. */
export function joinSentences(sentences: readonly string[]): string {
  return join(
    sentences.map((text) => ({ text })),
    (left, { text }) => needsSpaceBetweenSentences(left, text),
  );
}

function join(
  parts: readonly JoinableWord[],
  needsSpace: (left: string, right: JoinableWord) => boolean,
): string {
  let joined = '';
  let previous: string | null = null;
  for (const part of parts) {
    if (previous !== null && needsSpace(previous, part)) joined += ' ';
    joined += part.text;
    previous = part.text;
  }
  return joined;
}

/** Most words end with one. */
function isSpacedLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
}
