import { describe, expect, it } from 'vitest';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import { parseTranscriptionResponse } from './transcription-response.js';

/** The words of a response of a server, as it is parsed. */
function convert(answer: object, duration = 10) {
  const text = JSON.stringify({ text: '', ...answer });
  const response = { text, excerpt: text, status: 200, retryAfter: null, retryForbidden: false };
  return convertTranscriptionDroppingHallucinations(parseTranscriptionResponse(response), duration);
}
const token = (word: string, start: number, end: number, probability = 0.5) => ({
  word,
  start,
  end,
  probability,
});

describe('words that a server lists in its segments', () => {
  it('tokens of whisper.cpp are joined to words, also across segments', () => {
    const segments = [
      {
        text: ' And so, my fel',
        words: [
          token('[_BEG_]', 0, 0),
          token(' And', 0.3, 0.6, 0.25),
          token(' so', 0.6, 0.9),
          token(',', 0.9, 1),
          token(' my', 1.2, 1.4),
          token(' fel', 1.4, 1.6, 0.2),
        ],
      },
      { text: 'low.', words: [token('low', 1.6, 1.9, 0.8), token('.', 1.9, 2, 0.4)] },
    ];
    const { words, timesEstimated } = convert({ text: ' And so, my fel\nlow.\n', segments });
    expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['And', 0.3, 0.6],
      ['so,', 0.6, 1],
      ['my', 1.2, 1.4],
      ['fellow.', 1.4, 2],
    ]);
    expect(words[0]?.confidence).toBe(0.25);
    expect(words[3]?.confidence).toBeCloseTo((0.2 * 0.8 * 0.4) ** (1 / 3), 6);
    expect(timesEstimated).toBe(false);
  });

  it('whole words without spaces stay words', () => {
    const segments = [{ text: ' hello there', words: [token('hello', 1, 2), token('there', 2, 3)] }];
    expect(convert({ text: 'hello there', segments }).words.map(({ text }) => text)).toEqual([
      'hello',
      'there',
    ]);
  });

  it('whole words without spaces stay words beside a segment whose text differs', () => {
    const segmentOf = (text: string, words: string, start: number) => ({
      text,
      words: words.split(' ').map((word, at) => token(word, start + at / 2, start + at / 2 + 0.4)),
    });
    const segments = [
      segmentOf(' we were there today', 'we were there today', 0),
      segmentOf(' with twenty other people', 'with 20 other people', 2),
      segmentOf(' and it was fun', 'and it was fun', 4),
    ];
    const text = 'we were there today with twenty other people and it was fun';
    expect(convert({ text, segments }).words.map((word) => word.text)).toEqual(text.split(' '));
  });

  it('the text counts where tokens contain damaged characters', () => {
    const segments = [
      { text: ' one', words: [token(' one', 0, 1)] },
      {
        text: ' naïve 你好',
        words: [token(' na', 1, 2), token('\ufffd', 2, 2.5), token('\ufffdve', 2.5, 3)],
      },
      { text: ' two', words: [token(' two', 5, 6)] },
    ];
    const { words } = convert({ text: ' one\n naïve 你好\n two\n', segments });
    expect(words.map(({ text }) => text).join('')).toBe('onenaïve你好two');
    expect(words.at(-1)).toMatchObject({ text: 'two', start: 5, end: 6 });
    expect(words[1]?.estimatedWithin).toEqual({ start: 1, end: 5 });
  });

  it('an invalid list of words does not spoil the segment', () => {
    const segments = [{ text: ' fine', start: 1, end: 2, words: [{ token: 7 }] }];
    expect(convert({ text: 'fine', segments }).words).toMatchObject([{ text: 'fine', start: 1, end: 2 }]);
  });
});

describe('confidence of a server that has none', () => {
  it.each([-1, 0, -100])('is unknown for the placeholder %d', (placeholder) => {
    const segments = [{ text: ' hello', start: 0, end: 1, avg_logprob: placeholder, compression_ratio: -1 }];
    expect(convert({ text: ' hello', segments }).words[0]?.confidence).toBeNull();
    const words = [{ word: 'hello', start: 0, end: 1, probability: placeholder }];
    expect(convert({ text: 'hello', words }).words[0]?.confidence).toBeNull();
  });

  it('does not count as a sign of invented text', () => {
    const segments = [{ text: ' hello', start: 0, end: 1, avg_logprob: -100, no_speech_prob: 0.9 }];
    expect(convert({ text: ' hello', segments }).words).toHaveLength(1);
  });
});

describe('answers of other servers', () => {
  it('LocalAI calls a word text', () => {
    const words = [
      { text: 'hello', start: 1, end: 2 },
      { text: 'there', start: 2, end: 3 },
    ];
    const { words: found, timesEstimated } = convert({ text: 'hello there.', words });
    expect(found).toMatchObject([
      { text: 'hello', start: 1, end: 2 },
      { text: 'there.', start: 2, end: 3 },
    ]);
    expect(timesEstimated).toBe(false);
  });

  it('an invalid list of words does not spoil the text', () => {
    expect(convert({ text: 'fine', words: [{ token: 7 }] }).words).toMatchObject([{ text: 'fine' }]);
  });

  it('no word is lost if times are in nanoseconds', () => {
    const segments = [
      { text: ' one two', start: 0, end: 2_640_000_000 },
      { text: ' three.', start: 2_640_000_000, end: 4_000_000_000 },
    ];
    const { words, doubtedWords, timesEstimated } = convert({ text: 'one two three.', segments });
    expect(words.map(({ text }) => text)).toEqual(['one', 'two', 'three.']);
    expect({ doubtedWords, timesEstimated }).toEqual({ doubtedWords: 0, timesEstimated: true });
  });
});
