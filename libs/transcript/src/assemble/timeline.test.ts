import { describe, expect, it } from 'vitest';
import { chunkOf, speak } from '../testing/samples.js';
import { mergeChunks } from './timeline.js';

const merged = (...given: Parameters<typeof mergeChunks>) => mergeChunks(...given).words;

describe('mergeChunks', () => {
  it('moves words to the clock of the file and sorts chunks that come in disorder', () => {
    const words = merged(
      [
        chunkOf(speak('three four', 0.5), { index: 1, start: 10, end: 20 }),
        chunkOf(speak('one two', 1), { index: 0, start: 0, end: 10 }),
      ],
      20,
    );
    expect(words.map(({ text, start }) => [text, start])).toEqual([
      ['one', 1],
      ['two', 1.35],
      ['three', 10.5],
      ['four', 10.85],
    ]);
  });

  it('takes a chunk that was delivered twice once, as it came first', () => {
    const words = merged([chunkOf(speak('only once')), chunkOf(speak('not again'))], 600);
    expect(words.map(({ text }) => text)).toEqual(['only', 'once']);
  });

  it('keeps words inside their chunk and the file', () => {
    const word = { text: 'late', start: 9.8, end: 10.4, confidence: null, language: null };
    expect(merged([chunkOf([word], { start: 0, end: 10 })], 600)[0]).toMatchObject({
      start: 9.8,
      end: 10,
    });
    expect(merged([chunkOf([word], { start: 0, end: 10 })], 5)[0]).toMatchObject({ start: 5, end: 5 });
  });

  it('lets a word end where the next begins', () => {
    const long = { text: 'a', start: 0, end: 5, confidence: null, language: null };
    const next = { text: 'b', start: 1, end: 2, confidence: null, language: null };
    expect(merged([chunkOf([long, next])], 600).map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('skips what is no word and bounds confidence', () => {
    const word = { text: 'x', start: 0, end: 1, confidence: 1.2, language: null };
    const words = merged([chunkOf([{ ...word, text: ' \u0000 ' }, word, { ...word, confidence: NaN }])], 600);
    expect(words.map(({ confidence }) => confidence)).toEqual([1, null]);
  });
});
