import { describe, expect, it } from 'vitest';
import type { TranscriptionResponse } from './transcription-response.js';
import { convertTranscription } from './recognized-words.js';

const said = (word: string, start?: number | null, end?: number | null, probability?: number) => ({
  word,
  start,
  end,
  probability,
});
const segment = (text: string, start: number, end: number, figures: object = {}) => ({
  text,
  start,
  end,
  ...figures,
});
const told = (parts: Partial<TranscriptionResponse>): TranscriptionResponse => ({ text: '', ...parts });
const texts = (transcription: TranscriptionResponse, duration = 10) =>
  convertTranscription(transcription, duration).words.map(({ text }) => text);
const times = (transcription: TranscriptionResponse, duration = 10) =>
  convertTranscription(transcription, duration).words.map(({ start, end }) => [start, end]);

describe('convertTranscription', () => {
  it('words get the punctuation of the text, however the server lists them', () => {
    const bare = [
      said('Hello', 0, 1),
      said('world', 1, 2),
      said('it', 2, 3),
      said("'s", 3, 4),
      said('me', 4, 5),
    ];
    expect(texts(told({ text: 'Hello, “world” – it’s me.', words: bare }))).toEqual([
      'Hello',
      'world',
      'it',
      "'s",
      'me',
    ]);
    expect(texts(told({ text: "Hello, “world” – it's me.", words: bare }))).toEqual([
      'Hello,',
      '“world”',
      "it's",
      'me.',
    ]);
    const marked = [said(' Hello,', 0, 1), said(' world.', 1, 2)];
    expect(texts(told({ text: 'Hello, world.', words: marked }))).toEqual(['Hello,', 'world.']);
  });

  it('characters of scripts without spaces stay separate words', () => {
    const words = ['今', '日', 'は'].map((word, at) => said(word, at, at + 1));
    expect(texts(told({ text: '今日は。', words }))).toEqual(['今', '日', 'は。']);
    const whole = told({ text: '今日は良い天気です。', segments: [segment('今日は良い天気です。', 1, 5)] });
    expect(texts(whole).join('')).toBe('今日は良い天気です。');
    expect(texts(whole).length).toBeGreaterThan(2);
  });

  it('times are clamped to the chunk and ordered, and invalid ones are dropped', () => {
    const words = [said('a', -1, 0.5), said('b', 0.4, 0.2), said('c'), said('d', 0.3, 99)];
    expect(times(told({ text: 'a b c d', words }), 2)).toEqual([
      [0, 0.5],
      [0.4, 0.4],
      [0.4, 0.4],
      [0.4, 2],
    ]);
  });

  it('words that start after the end of the audio are dropped', () => {
    const words = [said('a', 0, 1), said('Thanks', 29, 30), said('bye', 30, 30)];
    const heard = convertTranscription(told({ text: 'a Thanks bye', words }), 2);
    expect([heard.words.length, heard.doubtedWords]).toEqual([1, 2]);
  });

  it('a last word that rounding puts just after the end is retained', () => {
    const words = [said('good', 11.9, 12.2), said('bye', 12.34, 12.4)];
    const heard = convertTranscription(told({ text: 'good bye', words }), 12.338);
    expect(heard.words.map(({ start, end }) => [start, end])).toEqual([
      [11.9, 12.2],
      [12.338, 12.338],
    ]);
    expect(heard.doubtedWords).toBe(0);
  });

  it('words without times share the interval between their neighbours', () => {
    const untimed = ['ab', 'cd', 'ef'].map((word) => said(word));
    const all = convertTranscription(told({ text: 'ab cd ef', words: untimed }), 6);
    expect(all.words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['ab', 0, 2],
      ['cd', 2, 4],
      ['ef', 4, 6],
    ]);
    expect(all.timesEstimated).toBe(true);
    const segments = [segment('ab cd ef', 3, 6)];
    expect(times(told({ text: 'ab cd ef', words: untimed, segments }))).toEqual([
      [3, 4],
      [4, 5],
      [5, 6],
    ]);
    expect(texts(told({ text: '', words: untimed }))).toEqual(['ab', 'cd', 'ef']);
    const some = convertTranscription(
      told({ text: 'ab cd ef', words: [said('ab', 0, 1), ...untimed.slice(1)] }),
      5,
    );
    expect(some.words.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 3],
      [3, 5],
    ]);
    expect(some.timesEstimated).toBe(true);
  });

  it('no word is lost when the server lists only some words or segments', () => {
    const text = 'Hello there, big world.';
    const words = [said('hello', 0, 1)];
    expect(convertTranscription(told({ text, words }), 10)).toMatchObject({
      words: [{ text: 'Hello' }, { text: 'there,' }, { text: 'big' }, { text: 'world.' }],
      timesEstimated: true,
      doubtedWords: 0,
    });
    expect(texts(told({ text, words, segments: [segment('Hello there,', 0, 1)] }))).toHaveLength(4);
    const spelled = [said('twenty', 0, 1), said('one', 1, 2)];
    expect(times(told({ text: '21', words: spelled }))).toEqual([
      [0, 1],
      [1, 2],
    ]);
    const numbered = ['it', 'was', '20', 'years', 'ago', 'today'].map((word, at) => said(word, at, at + 1));
    const heard = convertTranscription(told({ text: 'It was twenty years ago today.', words: numbered }), 9);
    expect([heard.words.length, heard.timesEstimated]).toEqual([6, false]);
  });

  it('segments that two quality metrics mark as hallucinated are dropped', () => {
    const figures = [
      { no_speech_prob: 0.9, avg_logprob: -1.5 },
      { compression_ratio: 3, avg_logprob: -1.5 },
      { no_speech_prob: 0.9, avg_logprob: -0.2 },
      { compression_ratio: 3, avg_logprob: -0.2 },
      { avg_logprob: -2 },
    ];
    const kept = figures.map((figure) => {
      const segments = [segment('made up', 0, 1, figure), segment('said', 1, 2)];
      const heard = convertTranscription(told({ text: 'made up said', segments }), 2);
      return [heard.words.length, heard.doubtedWords];
    });
    expect(kept).toEqual([
      [1, 2],
      [1, 2],
      [3, 0],
      [3, 0],
      [3, 0],
    ]);
    const words = [said('made', 0, 0.5), said('up', 0.5, 1), said('said', 1, 2)];
    const segments = [segment('made up', 0, 1, figures[0])];
    expect(texts(told({ text: 'made up said', segments, words }))).toEqual(['said']);
  });

  it('confidence comes from the word, else its segment, else is null', () => {
    const segments = [segment('a b', 0, 1, { avg_logprob: -0.5 }), segment('c', 1, 2, { avg_logprob: 0 })];
    const words = [said('a', 0, 0.5, 0.9), said('b', 0.5, 1), said('c', 1, 2)];
    const [a, b, c] = convertTranscription(told({ text: 'a b c', segments, words }), 2).words;
    expect(a?.confidence).toBe(0.9);
    expect(b?.confidence).toBeCloseTo(0.607, 3);
    expect(c?.confidence).toBeNull();
  });

  it('times are estimated from the widest known interval and marked as estimated', () => {
    const segments = [segment('ab cd', 1, 3), segment('efgh', 4, 5)];
    const heard = convertTranscription(told({ text: 'ab cd efgh', segments }), 10);
    expect(heard.words.map(({ start, end }) => [start, end])).toEqual([
      [1, 2],
      [2, 3],
      [4, 5],
    ]);
    expect(heard.timesEstimated).toBe(true);
    expect(times(told({ text: 'ab cd' }), 4)).toEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(convertTranscription(told({ text: ' ' }), 4)).toEqual({
      words: [],
      timesEstimated: false,
      doubtedWords: 0,
    });
  });
});
