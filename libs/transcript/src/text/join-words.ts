const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uff65]/u;
const BARE_MARKS = /^[,.;:!?…。，、！？；：]+$/u;
/** All scripts below the Thai block separate words by spaces. */
const FIRST_UNSPACED = 0x0e00;

export function isUnspacedScriptCharacter(character: string): boolean {
  return (character.codePointAt(0) ?? 0) >= FIRST_UNSPACED && UNSPACED_SCRIPT.test(character);
}

export function needsSpaceBetween(left: string, right: string): boolean {
  const last = left.charCodeAt(left.length - 1);
  if (
    last >= FIRST_UNSPACED &&
    isUnspacedScriptCharacter(lastCharacter(left)) &&
    isUnspacedScriptCharacter(right)
  )
    return false;
  return !BARE_MARKS.test(right);
}

/** No space before a bare mark, or in scripts without spaces. */
export function joinWords(words: readonly string[]): string {
  let text = '';
  let previous: string | null = null;
  for (const word of words) {
    if (previous !== null && needsSpaceBetween(previous, word)) text += ' ';
    text += word;
    previous = word;
  }
  return text;
}

function lastCharacter(word: string): string {
  const code = word.charCodeAt(word.length - 1);
  const isTail = code >= 0xdc00 && code <= 0xdfff;
  return word.slice(isTail ? -2 : -1);
}
