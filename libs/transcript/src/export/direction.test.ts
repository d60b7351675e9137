import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyWord } from '../testing/arbitraries.js';
import { readsRightToLeft, seemsRightToLeft, toDirected } from './direction.js';

describe('readsRightToLeft', () => {
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
    expect(readsRightToLeft(text, language)).toBe(expected);
  });
});

describe('seemsRightToLeft', () => {
  it.each([
    ['12 שלום a', true],
    ['a שלום', false],
    ['\u200fa', true],
    ['\u200eש', false],
    ['12', false],
  ])('"%s": %s', (text, expected) => {
    expect(seemsRightToLeft(text)).toBe(expected);
  });
});

describe('toDirected', () => {
  const shown = (text: string, rightToLeft: boolean) =>
    toDirected(text, rightToLeft).map((part) => `${part.rightToLeft ? '<' : '>'}${part.text}`);

  it('gives figures to the Latin word before them, and marks to the paragraph', () => {
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

  it('loses nothing, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyWord, fc.constantFrom('שלום', 'abc 12'))),
        fc.boolean(),
        (words, turned) => {
          const text = words.join(' ');
          expect(
            toDirected(text, turned)
              .map((part) => part.text)
              .join(''),
          ).toBe(text);
        },
      ),
    );
  });
});
