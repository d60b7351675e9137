import { describe, expect, it } from 'vitest';
import type { RecognizedWord } from '../engine/engine.js';
import { buildReplacementTermWords } from './build-replacement-term-words.js';

const word = (
  text: string,
  start: number,
  end: number,
  more: Partial<RecognizedWord> = {},
): RecognizedWord => ({
  ...{ text, start, end, confidence: 0.4, language: 'de' },
  ...more,
});

describe('buildReplacementTermWords', () => {
  it('keeps times, language and marks of as many words', () => {
    expect(
      buildReplacementTermWords([word('„Blu', 1, 1.4), word('Harper“,', 1.6, 2)], ['Blue', 'Harbor']),
    ).toEqual([
      { text: '„Blue', start: 1, end: 1.4, confidence: null, language: 'de' },
      { text: 'Harbor“,', start: 1.6, end: 2, confidence: null, language: 'de' },
    ]);
  });

  it('repeats no mark that the term has itself', () => {
    const textOf = (text: string, ...parts: string[]) =>
      buildReplacementTermWords([word(text, 1, 2)], parts).map((each) => each.text);
    expect(textOf('(Yahu!!', 'Yahoo!')).toEqual(['(Yahoo!!']);
    expect(textOf('“Ües.”', 'U.S.')).toEqual(['“U.S.”']);
    expect(textOf('मोदि,', 'मोदी')).toEqual(['मोदी,']);
  });

  it('divides the time of another number of words by length', () => {
    expect(
      buildReplacementTermWords([word('Elastik', 1, 1.5), word('Sörtsch.', 1.5, 2.2)], ['Elasticsearch']),
    ).toEqual([{ text: 'Elasticsearch.', start: 1, end: 2.2, confidence: null, language: 'de' }]);
    expect(buildReplacementTermWords([word('Bluharper', 1, 2)], ['Blue', 'Harbor'])).toMatchObject([
      { text: 'Blue', start: 1, end: 1.4 },
      { text: 'Harbor', start: 1.4, end: 2 },
    ]);
  });

  it('words stay in the spans in which their times were estimated', () => {
    const [written] = buildReplacementTermWords(
      [
        word('Elastik', 1, 1.5, { estimatedWithin: { start: 0, end: 3 } }),
        word('Sörtsch', 1.5, 2, { estimatedWithin: { start: 1, end: 4 } }),
      ],
      ['Elasticsearch'],
    );
    expect(written).toMatchObject({ start: 1, end: 2, estimatedWithin: { start: 0, end: 4 } });
  });
});
