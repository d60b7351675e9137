import { describe, expect, it } from 'vitest';
import { buildRecognizedWordsFromTokens } from './build-recognized-words-from-tokens.js';

const WINDOW = { start: 10, end: 20, utterances: [{ start: 10, end: 20 }] };

function build(segments: object) {
  const result = {
    ...{ text: '', tokens: ['▁one', '▁two', '▁three'], lang: '' },
    ...{ timestamps: [], durations: [], ys_log_probs: [] },
    ...segments,
  };
  return buildRecognizedWordsFromTokens(result, WINDOW, { hasByteSymbols: false, language: null });
}

describe('words of a model that reports the times of segments', () => {
  it('are within their segment', () => {
    const words = build({
      segment_texts: [' one two', ' three'],
      segment_timestamps: [0, 6],
      segment_durations: [4, 2],
    });
    expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['one', 10, 12],
      ['two', 12, 14],
      ['three', 16, 18],
    ]);
  });

  it.each([
    [
      'fewer times than texts',
      { segment_texts: [' one', ' two three'], segment_timestamps: [0], segment_durations: [2] },
    ],
    ['no times', { segment_texts: [' one two three'], segment_timestamps: [], segment_durations: [] }],
    ['texts that lack words', { segment_texts: [' one'], segment_timestamps: [0], segment_durations: [2] }],
  ])('are all kept with %s', (_, segments) => {
    expect(build(segments).map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });
});
