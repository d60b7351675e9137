import { describe, expect, it } from 'vitest';
import { buildChunk, wordsFromLine } from '../testing/samples.js';
import { mergeChunksIntoTimeline } from './timeline.js';

const merged = (...given: Parameters<typeof mergeChunksIntoTimeline>) =>
  mergeChunksIntoTimeline(...given).words;

describe('mergeChunksIntoTimeline', () => {
  it('converts word times to the clock of the file and sorts unordered chunks', () => {
    const words = merged(
      [
        buildChunk(wordsFromLine('three four', 0.5), { index: 1, start: 10, end: 20 }),
        buildChunk(wordsFromLine('one two', 1), { index: 0, start: 0, end: 10 }),
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

  it('keeps the first of two chunks with the same index', () => {
    const words = merged(
      [buildChunk(wordsFromLine('only once')), buildChunk(wordsFromLine('not again'))],
      600,
    );
    expect(words.map(({ text }) => text)).toEqual(['only', 'once']);
  });

  it('keeps words inside their chunk and the file', () => {
    const word = { text: 'late', start: 9.8, end: 10.4, confidence: null, language: null };
    expect(merged([buildChunk([word], { start: 0, end: 10 })], 600)[0]).toMatchObject({
      start: 9.8,
      end: 10,
    });
    expect(merged([buildChunk([word], { start: 0, end: 10 })], 5)[0]).toMatchObject({ start: 5, end: 5 });
  });

  it('ends a word where the next one starts', () => {
    const long = { text: 'a', start: 0, end: 5, confidence: null, language: null };
    const next = { text: 'b', start: 1, end: 2, confidence: null, language: null };
    expect(merged([buildChunk([long, next])], 600).map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it('skips empty words and clamps confidence', () => {
    const word = { text: 'x', start: 0, end: 1, confidence: 1.2, language: null };
    const words = merged(
      [buildChunk([{ ...word, text: ' \u0000 ' }, word, { ...word, confidence: NaN }])],
      600,
    );
    expect(words.map(({ confidence }) => confidence)).toEqual([1, null]);
  });
});
