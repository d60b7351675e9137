import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateWordTimesByLength, splitTimedWord } from './estimate-word-times.js';

const wordsOf = (line: string) => line.split(' ').map((text) => ({ text }));
const WITHIN = { start: 0, end: 10 };

describe('estimateWordTimesByLength', () => {
  it('words share the detected speech, and none lasts over a pause', () => {
    const speech = [
      { start: 1, end: 3 },
      { start: 6, end: 8 },
    ];
    const placed = estimateWordTimesByLength(wordsOf('aaaa bbbb cccc dddd'), WITHIN, speech);
    expect(placed.map(({ start, end }) => [start, end])).toEqual([
      [1, 2],
      [2, 3],
      [6, 7],
      [7, 8],
    ]);
    expect(placed.every(({ estimatedWithin }) => estimatedWithin === WITHIN)).toBe(true);
  });

  it('words share the whole span when no speech was detected, or far too little for the text', () => {
    const even = [
      [0, 5],
      [5, 10],
    ];
    for (const speech of [[], [{ start: 20, end: 30 }], [{ start: 4, end: 4.05 }]])
      expect(
        estimateWordTimesByLength(wordsOf('aaaa bbbb'), WITHIN, speech).map(({ start, end }) => [start, end]),
      ).toEqual(even);
  });

  it('words are in order, within the span, and each within one stretch of speech', () => {
    const lengths = fc.array(
      fc.tuple(fc.double({ min: 0.5, max: 3, noNaN: true }), fc.integer({ min: 1, max: 9 })),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(lengths, (parts) => {
        let at = 0;
        const speech = parts.map(([seconds]) => {
          const start = at + 0.5;
          at = start + seconds;
          return { start, end: at };
        });
        const words = wordsOf(parts.map(([, letters]) => 'x'.repeat(letters)).join(' '));
        const placed = estimateWordTimesByLength(words, { start: 0, end: at + 1 }, speech);
        let last = 0;
        for (const { start, end } of placed) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          const isIn = speech.some((span) => span.start - 1e-9 <= start && end <= span.end + 1e-9);
          expect(isIn).toBe(true);
          last = start;
        }
      }),
    );
  });
});

describe('splitTimedWord', () => {
  it('divides the time of text without spaces between its words', () => {
    expect(splitTimedWord({ text: 'ab cdef', start: 1, end: 4 })).toEqual([
      { text: 'ab', start: 1, end: 2 },
      { text: 'cdef', start: 2, end: 4 },
    ]);
  });
});
