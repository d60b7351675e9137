import { describe, expect, it } from 'vitest';
import { findTextMatches, splitSegmentTextAtWords, splitTextAtMatches } from './text-parts.ts';

const words = (...texts: string[]) => texts.map((word) => ({ word, start: 0, end: 1, confidence: null }));

describe('splitSegmentTextAtWords', () => {
  it('has words and what is between them, which together are the text', () => {
    const parts = splitSegmentTextAtWords({
      text: 'Yes, the the end.',
      words: words('Yes,', 'the', 'the', 'end.'),
    });
    expect(parts.map(({ text, word }) => [text, word])).toEqual([
      ['Yes,', 0],
      [' ', null],
      ['the', 1],
      [' ', null],
      ['the', 2],
      [' ', null],
      ['end.', 3],
    ]);
    expect(parts.map(({ from }) => from)).toEqual([0, 4, 5, 8, 9, 12, 13]);
  });

  it('has nothing between the words of scripts without spaces', () => {
    expect(
      splitSegmentTextAtWords({ text: '你好世界', words: words('你好', '世界') }).map(({ word }) => word),
    ).toEqual([0, 1]);
  });

  it('has the text as it is without words, or with a word that it does not have', () => {
    expect(splitSegmentTextAtWords({ text: 'abc', words: null })).toEqual([
      { text: 'abc', from: 0, word: null },
    ]);
    expect(splitSegmentTextAtWords({ text: 'abc', words: words('x') })).toEqual([
      { text: 'abc', from: 0, word: null },
    ]);
  });
});

describe('findTextMatches', () => {
  it('finds every occurrence without regard to case, over words', () => {
    expect(findTextMatches(['The THE', 'in the end'], ' the')).toEqual([
      { segment: 0, from: 0, to: 3 },
      { segment: 0, from: 4, to: 7 },
      { segment: 1, from: 3, to: 6 },
    ]);
    expect(findTextMatches(['in the end'], 'THE END')).toHaveLength(1);
  });

  it('has the offsets of the text, also where small letters are longer', () => {
    expect(findTextMatches(['İİ the end, THE end'], 'the')).toEqual([
      { segment: 0, from: 3, to: 6 },
      { segment: 0, from: 12, to: 15 },
    ]);
    expect(findTextMatches(['İzmir'], 'İz')).toEqual([{ segment: 0, from: 0, to: 2 }]);
  });

  it('finds nothing for blanks', () => {
    expect(findTextMatches(['a b'], '  ')).toEqual([]);
  });
});

describe('splitTextAtMatches', () => {
  const matches = [
    { from: 2, to: 4, isCurrent: false },
    { from: 8, to: 12, isCurrent: true },
  ];

  it('has every match of a text without words, and what is between them', () => {
    expect(splitTextAtMatches('0123456789abcdef', 0, matches)).toEqual([
      { text: '01', isCurrent: null },
      { text: '23', isCurrent: false },
      { text: '4567', isCurrent: null },
      { text: '89ab', isCurrent: true },
      { text: 'cdef', isCurrent: null },
    ]);
  });

  it.each([
    ['0123', 0, ['01', '[23]']],
    ['34567', 3, ['[3]', '4567']],
    ['9a', 9, ['[9a]']],
    ['bcd', 11, ['[b]', 'cd']],
    ['4567', 4, ['4567']],
  ])('has of %j at %i the part that matches', (text, from, expected) => {
    const pieces = splitTextAtMatches(text, from, matches);
    expect(pieces.map((piece) => (piece.isCurrent === null ? piece.text : `[${piece.text}]`))).toEqual(
      expected,
    );
  });
});
