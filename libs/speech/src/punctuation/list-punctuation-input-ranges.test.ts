import { describe, expect, it } from 'vitest';
import { listPunctuationInputRanges } from './list-punctuation-input-ranges.js';

/** A word of one character each: `.` for a second of silence, a capital letter for German, `?` for unknown. */
function words(line: string) {
  let at = 0;
  const said = [];
  for (const text of line) {
    at += 1;
    if (text === '.') continue;
    const language = text === '?' ? null : text === text.toLowerCase() ? 'en' : 'de';
    said.push({ text, start: at, end: at + 1, language });
  }
  return said;
}

const english = (language: string) => language.startsWith('en');
const blocksOf = (line: string, serves = english) =>
  listPunctuationInputRanges(words(line), serves).map(({ from, to }) =>
    words(line)
      .slice(from, to)
      .map(({ text }) => text)
      .join(''),
  );

describe('listPunctuationInputRanges', () => {
  it('text is split at long pauses only', () => {
    expect(blocksOf('ab.cd..ef...gh')).toEqual(['abcdef', 'gh']);
  });

  it('unsupported languages are skipped, and words of unknown language join the previous language', () => {
    expect(blocksOf('abXYcd')).toEqual(['ab', 'cd']);
    expect(blocksOf('ab?dX?ef')).toEqual(['ab?d', 'ef']);
    expect(blocksOf('??ab')).toEqual(['ab']);
    expect(blocksOf('abXY', () => true)).toEqual(['ab', 'XY']);
  });

  it('a block that is too long is split at the widest pause of its second half', () => {
    const [first = '', second = '', ...more] = blocksOf(
      `${'a'.repeat(20)}.${'b'.repeat(200)}.${'c'.repeat(130)}`,
    );
    expect([first.length, second.length, more]).toEqual([220, 130, []]);
    expect(blocksOf('a'.repeat(700)).map(({ length }) => length)).toEqual([300, 300, 100]);
  });

  it('no words yield no block', () => {
    expect(blocksOf('')).toEqual([]);
  });
});
