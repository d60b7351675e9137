import { describe, expect, it } from 'vitest';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import {
  createResponse,
  createResponseWord,
  createSegment,
  listWordTexts,
  listWordTimes,
} from './testing/response-builders.js';

describe('convertTranscriptionDroppingHallucinations', () => {
  it('words get the punctuation of the text, however the server lists them', () => {
    const bare = [
      createResponseWord('Hello', 0, 1),
      createResponseWord('world', 1, 2),
      createResponseWord('it', 2, 3),
      createResponseWord("'s", 3, 4),
      createResponseWord('me', 4, 5),
    ];
    expect(listWordTexts(createResponse({ text: 'Hello, “world” – it’s me.', words: bare }))).toEqual([
      'Hello',
      'world',
      'it',
      "'s",
      'me',
    ]);
    expect(listWordTexts(createResponse({ text: "Hello, “world” – it's me.", words: bare }))).toEqual([
      'Hello,',
      '“world”',
      "it's",
      'me.',
    ]);
    const marked = [createResponseWord(' Hello,', 0, 1), createResponseWord(' world.', 1, 2)];
    expect(listWordTexts(createResponse({ text: 'Hello, world.', words: marked }))).toEqual([
      'Hello,',
      'world.',
    ]);
  });

  it('characters of scripts without spaces become words', () => {
    const words = ['今', '日', 'は', '休', 'み'].map((word, at) => createResponseWord(word, at, at + 1));
    const spoken = createResponse({ text: '「今日」は休み。', words });
    expect(listWordTexts(spoken)).toEqual(['「今日」', 'は', '休み。']);
    expect(listWordTimes(spoken)).toEqual([
      [0, 2],
      [2, 3],
      [3, 5],
    ]);
    const whole = createResponse({
      text: '今日は良い天気です。',
      segments: [createSegment('今日は良い天気です。', 1, 5)],
    });
    expect(listWordTexts(whole).join('')).toBe('今日は良い天気です。');
    expect(listWordTexts(whole).length).toBeGreaterThan(2);
  });

  it('times are clamped to the chunk and ordered, and invalid ones are dropped', () => {
    const words = [
      createResponseWord('a', -1, 0.5),
      createResponseWord('b', 0.4, 0.2),
      createResponseWord('c'),
      createResponseWord('d', 0.3, 99),
    ];
    expect(listWordTimes(createResponse({ text: 'a b c d', words }), 2)).toEqual([
      [0, 0.5],
      [0.4, 0.4],
      [0.4, 0.4],
      [0.4, 2],
    ]);
  });

  it('words that start after the end of the audio are dropped', () => {
    const words = [
      createResponseWord('a', 0, 1),
      createResponseWord('Thanks', 29, 30),
      createResponseWord('bye', 30, 30),
    ];
    const converted = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'a Thanks bye', words }),
      2,
    );
    expect([converted.words.length, converted.doubtedWords]).toEqual([1, 2]);
  });

  it('a last word that rounding puts just after the end is retained', () => {
    const words = [createResponseWord('good', 11.9, 12.2), createResponseWord('bye', 12.34, 12.4)];
    const converted = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'good bye', words }),
      12.338,
    );
    expect(converted.words.map(({ start, end }) => [start, end])).toEqual([
      [11.9, 12.2],
      [12.338, 12.338],
    ]);
    expect(converted.doubtedWords).toBe(0);
  });

  it('words without times share the interval between their neighbours', () => {
    const untimed = ['ab', 'cd', 'ef'].map((word) => createResponseWord(word));
    const all = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'ab cd ef', words: untimed }),
      6,
    );
    expect(all.words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['ab', 0, 2],
      ['cd', 2, 4],
      ['ef', 4, 6],
    ]);
    expect(all.timesEstimated).toBe(true);
    const segments = [createSegment('ab cd ef', 3, 6)];
    expect(listWordTimes(createResponse({ text: 'ab cd ef', words: untimed, segments }))).toEqual([
      [3, 4],
      [4, 5],
      [5, 6],
    ]);
    expect(listWordTexts(createResponse({ text: '', words: untimed }))).toEqual(['ab', 'cd', 'ef']);
    const some = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'ab cd ef', words: [createResponseWord('ab', 0, 1), ...untimed.slice(1)] }),
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
    const words = [createResponseWord('hello', 0, 1)];
    expect(convertTranscriptionDroppingHallucinations(createResponse({ text, words }), 10)).toMatchObject({
      words: [{ text: 'Hello' }, { text: 'there,' }, { text: 'big' }, { text: 'world.' }],
      timesEstimated: true,
      doubtedWords: 0,
    });
    expect(
      listWordTexts(createResponse({ text, words, segments: [createSegment('Hello there,', 0, 1)] })),
    ).toHaveLength(4);
    const spelled = [createResponseWord('twenty', 0, 1), createResponseWord('one', 1, 2)];
    expect(listWordTimes(createResponse({ text: '21', words: spelled }))).toEqual([
      [0, 1],
      [1, 2],
    ]);
    const numbered = ['it', 'was', '20', 'years', 'ago', 'today'].map((word, at) =>
      createResponseWord(word, at, at + 1),
    );
    const converted = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'It was twenty years ago today.', words: numbered }),
      9,
    );
    expect([converted.words.length, converted.timesEstimated]).toEqual([6, false]);
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
      const segments = [createSegment('made up', 0, 1, figure), createSegment('said', 1, 2)];
      const converted = convertTranscriptionDroppingHallucinations(
        createResponse({ text: 'made up said', segments }),
        2,
      );
      return [converted.words.length, converted.doubtedWords];
    });
    expect(kept).toEqual([
      [1, 2],
      [1, 2],
      [3, 0],
      [3, 0],
      [3, 0],
    ]);
    const words = [
      createResponseWord('made', 0, 0.5),
      createResponseWord('up', 0.5, 1),
      createResponseWord('said', 1, 2),
    ];
    const segments = [createSegment('made up', 0, 1, figures[0])];
    expect(listWordTexts(createResponse({ text: 'made up said', segments, words }))).toEqual(['said']);
  });

  it('confidence comes from the word, else its segment, else is null', () => {
    const segments = [
      createSegment('a b', 0, 1, { avg_logprob: -0.5 }),
      createSegment('c', 1, 2, { avg_logprob: 0 }),
    ];
    const words = [
      createResponseWord('a', 0, 0.5, 0.9),
      createResponseWord('b', 0.5, 1),
      createResponseWord('c', 1, 2),
    ];
    const [a, b, c] = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'a b c', segments, words }),
      2,
    ).words;
    expect(a?.confidence).toBe(0.9);
    expect(b?.confidence).toBeCloseTo(0.607, 3);
    expect(c?.confidence).toBeNull();
  });

  it('times are estimated from the widest known interval and marked as estimated', () => {
    const segments = [createSegment('ab cd', 1, 3), createSegment('efgh', 4, 5)];
    const converted = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'ab cd efgh', segments }),
      10,
    );
    expect(converted.words.map(({ start, end }) => [start, end])).toEqual([
      [1, 2],
      [2, 3],
      [4, 5],
    ]);
    expect(converted.timesEstimated).toBe(true);
    expect(listWordTimes(createResponse({ text: 'ab cd' }), 4)).toEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(convertTranscriptionDroppingHallucinations(createResponse({ text: ' ' }), 4)).toEqual({
      words: [],
      timesEstimated: false,
      doubtedWords: 0,
    });
  });

  it('words without times are estimated to be in the detected speech', () => {
    const speech = [
      { start: 0.2, end: 2 },
      { start: 7, end: 9.8 },
    ];
    const { words, timesEstimated } = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'this was said before a pause and this after it' }),
      10,
      speech,
    );
    expect(timesEstimated).toBe(true);
    for (const { start, end, estimatedWithin } of words) {
      expect(speech.some((span) => span.start <= start && end <= span.end + 1e-9)).toBe(true);
      expect(estimatedWithin).toEqual({ start: 0, end: 10 });
    }
  });

  it('words of the text are kept when a doubtful segment covers only a part of it', () => {
    const segments = [createSegment('thanks', 8, 10, { no_speech_prob: 0.9, avg_logprob: -2 })];
    expect(
      listWordTexts(createResponse({ text: 'this was really said at the end thanks', segments })),
    ).toContain('end');
  });
});
