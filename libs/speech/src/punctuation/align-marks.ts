import { type PunctuationMark, PunctuatedTextMismatchError } from './punctuator.js';

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
 * The marks of a punctuated text, word by word. Spaces may come and go; marks within a word do not count.
 * @param words that the text was made of
 * @throws PunctuatedTextMismatchError when the text holds something else than the words and marks
 */
export function extractMarks(words: readonly string[], text: string): (PunctuationMark | null)[] {
  const marks: (PunctuationMark | null)[] = words.map(() => null);
  const given = [...text].filter((character) => !isSpace(character));
  let at = 0;
  for (const [index, word] of words.entries()) {
    for (const character of [...word].filter((each) => !isSpace(each))) {
      while (given[at] !== character && MARKS.has(given[at] ?? '')) at += 1;
      if (given[at] !== character) throw new PunctuatedTextMismatchError();
      at += 1;
    }
    // The next word may itself begin with such a character: that one is not a mark.
    const next = words[index + 1]?.at(0);
    const mark = given[at] === next ? undefined : MARKS.get(given[at] ?? '');
    if (mark === undefined) continue;
    marks[index] = mark;
    at += 1;
  }
  if (given.slice(at).some((character) => !MARKS.has(character))) throw new PunctuatedTextMismatchError();
  return marks;
}

function isSpace(character: string): boolean {
  return /\s/u.test(character);
}
