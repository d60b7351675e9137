import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryWord } from '../testing/arbitraries.js';
import { isRightToLeft, startsRightToLeft, splitByDirection } from './text-direction.js';

describe('isRightToLeft', () => {
  it.each([
    ['שלום', null, true],
    ['WebVTT הוא הפורמט', 'he', true],
    ['WebVTT הוא הפורמט', null, true],
    ['PostgreSQL و MySQL', 'ar', true],
    ['The word שלום means peace', 'en', false],
    ['OK, Google', 'ar', false],
    ['٣٤', 'ar', false],
    ['123', null, false],
    ['', 'he', false],
  ])('"%s" in %s: %s', (text, language, expected) => {
    expect(isRightToLeft(text, language)).toBe(expected);
  });
});

describe('startsRightToLeft', () => {
  it.each([
    ['12 שלום a', true],
    ['a שלום', false],
    ['\u200fa', true],
    ['\u200eש', false],
    ['12', false],
  ])('"%s": %s', (text, expected) => {
    expect(startsRightToLeft(text)).toBe(expected);
  });
});

describe('splitByDirection', () => {
  const shown = (text: string, rightToLeft: boolean) =>
    splitByDirection(text, rightToLeft).map((part) => `${part.rightToLeft ? '<' : '>'}${part.text}`);

  it('assigns numbers to the preceding Latin word and punctuation to the paragraph', () => {
    expect(shown('שלנו, ZEPHYR 2.1, מתמללת 120 שעות.', true)).toEqual([
      '<שלנו, ',
      '>ZEPHYR 2.1',
      '<, מתמללת 120 שעות.',
    ]);
    expect(shown('The words שלום עולם, and so on.', false)).toEqual([
      '>The words ',
      '<שלום עולם',
      '>, and so on.',
    ]);
    expect(shown('Good morning.', false)).toEqual(['>Good morning.']);
  });

  it('leaves a mark with its letter', () => {
    expect(shown('He said شكرا\u064b to her', false)).toEqual(['>He said ', '<شكرا\u064b', '> to her']);
    expect(shown('שלום cafe\u0301 שלום', true)).toEqual(['<שלום ', '>cafe\u0301', '< שלום']);
  });

  it('keeps every character of any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(arbitraryWord, fc.constantFrom('שלום', 'abc 12'))),
        fc.boolean(),
        (words, turned) => {
          const text = words.join(' ');
          expect(
            splitByDirection(text, turned)
              .map((part) => part.text)
              .join(''),
          ).toBe(text);
        },
      ),
    );
  });
});
