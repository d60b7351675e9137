import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecognizedWord } from '../engine.js';
import {
  mergeBiasedTermsIntoUnbiasedWords,
  restoreTermSpelling,
} from './merge-biased-terms-into-unbiased-words.js';

/** Words of 0.4 s, half a second apart; `_` stands for half a second without a word. */
const wordsOf = (line: string): RecognizedWord[] =>
  line.split(' ').flatMap((text, at) => {
    const times = { start: at / 2, end: at / 2 + 0.4 };
    return text === '_' ? [] : [{ text, ...times, confidence: 0.9, language: null }];
  });
const restored = (line: string, ...terms: string[]) =>
  restoreTermSpelling(wordsOf(line), terms).map(({ text }) => text);
const corrected = (unbiased: string, biased: string, ...terms: string[]) =>
  mergeBiasedTermsIntoUnbiasedWords(wordsOf(unbiased), wordsOf(biased), terms)
    .map(({ text }) => text)
    .join(' ');

describe('restoreTermSpelling', () => {
  it('terms get the spelling of the caller, and other words and punctuation stay unchanged', () => {
    expect(restored('ask mister KOWALCZYK, or kowalczyk.', 'Kowalczyk')).toEqual([
      'ask',
      'mister',
      'Kowalczyk,',
      'or',
      'Kowalczyk.',
    ]);
    expect(restored('the data forge data', 'Data Forge')).toEqual(['the', 'Data', 'Forge', 'data']);
    expect(restored('data', 'Data Forge')).toEqual(['data']);
    expect(restored('a data forge kowalczyk', 'Data Forge', 'Kowalczyk').slice(1)).toEqual([
      'Data',
      'Forge',
      'Kowalczyk',
    ]);
  });

  it.each([[['Microsoft', 'Microsoft Teams']], [['Microsoft Teams', 'Microsoft']]])(
    'the longest of %j is written',
    (terms) => {
      expect(restored('on microsoft teams of microsoft', ...terms).join(' ')).toBe(
        'on Microsoft Teams of Microsoft',
      );
    },
  );

  it('nothing changes without terms', () => {
    expect(restored('so it - is', '!', ' ')).toEqual(['so', 'it', '-', 'is']);
  });

  it('common words are never rewritten', () => {
    const line = 'you may tell us if it works, may you? It is up to us.';
    expect(restored(line, 'US', 'May', 'IT', 'May', 'Up To').join(' ')).toBe(line);
    expect(restored('will smith will', 'Will Smith').join(' ')).toBe('Will Smith will');
    expect(restored('die firma war im un', 'DIE', 'UN', 'WAR').join(' ')).toBe('die firma war im un');
  });
});

describe('restoreTermSpelling of terms with marks', () => {
  const terms = ['C#', 'C++', '.NET', 'U.S.', 'Yahoo!', 'मोदी', 'दिल्ली', 'গুপ্তা', '#1', '50%'];

  it.each([
    'We write C# and C++ for the .NET platform in the U.S. at Yahoo! with vitamin C.',
    'मोदी दिल्ली में थे, মি. গুপ্তা।',
    'in the net 50 of us and 1 of them said c',
  ])('%s', (line) => {
    expect(restored(line, ...terms).join(' ')).toBe(line);
  });

  it('they are recognized with their marks, whatever the case', () => {
    expect(restored('(c#, c++) on .net, in the u.s., or yahoo!?', ...terms).join(' ')).toBe(
      '(C#, C++) on .NET, in the U.S., or Yahoo!?',
    );
  });
});

describe('mergeBiasedTermsIntoUnbiasedWords', () => {
  it('a term with marks does not get them twice', () => {
    expect(corrected('we use see, here', 'we use c# here', 'C#')).toBe('we use see, here');
    expect(corrected('we use sea# here', 'we use c# here', 'C#')).toBe('we use C# here');
    expect(corrected('in the yues. then', 'in the u.s. then', 'U.S.')).toBe('in the U.S. then');
  });

  it('a term replaces what was recognized in its place, with the marks around it', () => {
    expect(corrected('call mister smith, now', 'call mister smyth now', 'Smyth')).toBe(
      'call mister Smyth, now',
    );
    const long = wordsOf('ask dashwood _ about it').map((word) =>
      word.text === 'dashwood' ? { ...word, end: 1.4 } : word,
    );
    expect(
      mergeBiasedTermsIntoUnbiasedWords(wordsOf('ask dash would about it'), long, ['Dashwood']).map(
        ({ text }) => text,
      ),
    ).toEqual(['ask', 'Dashwood', 'about', 'it']);
  });

  it('an empty or short result of the biased search costs no words', () => {
    const line = 'all of this was said about mister smith today';
    expect(corrected(line, '_', 'Smyth')).toBe(line);
    expect(corrected(line, 'all', 'Smyth')).toBe(line);
    expect(corrected(line, '_ _ _ _ _ _ _ smyth', 'Smyth')).toBe(
      'all of this was said about mister Smyth today',
    );
  });

  it('terms are not inserted where nothing was recognized, nor in place of a common word', () => {
    expect(corrected('one _ three', 'one smyth three', 'Smyth')).toBe('one three');
    expect(corrected('tell us more', 'tell US more', 'US')).toBe('tell us more');
  });

  it('words outside of the terms of any two results are those of the unbiased one, in order', () => {
    const lines = fc.array(fc.constantFrom('alpha', 'bravo', 'delta', 'kilo', '_'), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(lines, lines, (unbiased, biased) => {
        const words = wordsOf(unbiased.join(' '));
        const result = mergeBiasedTermsIntoUnbiasedWords(words, wordsOf(biased.join(' ')), ['Kilo']);
        const others = (all: readonly RecognizedWord[]) =>
          all.map(({ text }) => text.toLowerCase()).filter((text) => text !== 'kilo');
        const kilos = result.filter(({ text }) => text === 'Kilo').length;
        expect(result).toHaveLength(words.length);
        expect(others(words).length - others(result).length).toBeLessThanOrEqual(kilos);
        let reached = 0;
        for (const text of others(result)) {
          reached = others(words).indexOf(text, reached) + 1;
          expect(reached).toBeGreaterThan(0);
        }
      }),
    );
  });
});
