import { type PunctuationMark, PunctuatedTextMismatchError } from './punctuation-mark-predictor.js';

const MARKS: ReadonlyMap<string, PunctuationMark> = new Map([
  ['，', ','],
  [',', ','],
  ['、', '、'],
  ['。', '.'],
  ['.', '.'],
  ['？', '?'],
  ['?', '?'],
]);

/**
 * Ignores whitespace, and punctuation within words, and capitals, which some models set.
 * @throws PunctuatedTextMismatchError when the text contains anything but the words and punctuation
 */
export function extractPunctuationMarks(words: readonly string[], text: string): (PunctuationMark | null)[] {
  const marks: (PunctuationMark | null)[] = words.map(() => null);
  const characters = [...text.toLowerCase()].filter((character) => !isSpace(character));
  let at = 0;
  for (const [index, word] of words.entries()) {
    for (const character of [...word.toLowerCase()].filter((each) => !isSpace(each))) {
      while (characters[at] !== character && MARKS.has(characters[at] ?? '')) at += 1;
      if (characters[at] !== character) throw new PunctuatedTextMismatchError();
      at += 1;
    }
    // The next word may itself begin with a punctuation character.
    const next = words[index + 1]?.at(0)?.toLowerCase();
    const mark = characters[at] === next ? undefined : MARKS.get(characters[at] ?? '');
    if (mark === undefined) continue;
    marks[index] = mark;
    at += 1;
  }
  if (characters.slice(at).some((character) => !MARKS.has(character)))
    throw new PunctuatedTextMismatchError();
  return marks;
}

function isSpace(character: string): boolean {
  return /\s/u.test(character);
}
