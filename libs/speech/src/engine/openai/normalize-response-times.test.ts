import { describe, expect, it } from 'vitest';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import {
  createResponse,
  createResponseWord,
  createSegment,
  listWordTexts,
} from './testing/response-builders.js';
import type { TranscriptionResponse } from './transcription-response.js';

const DURATION = 20;
const SPOKEN = ['one', 'two', 'three', 'four'];
const text = SPOKEN.join(' ');
/** Two stretches of speech with a pause between them. */
const SPEECH = [
  { start: 2, end: 4 },
  { start: 10, end: 12 },
];

const convert = (response: Partial<TranscriptionResponse>) =>
  convertTranscriptionDroppingHallucinations(createResponse(response), DURATION, SPEECH);
const placeWords = (place: (index: number) => [number, number]) =>
  SPOKEN.map((word, index) => createResponseWord(word, ...place(index)));

describe('times that are no seconds of the chunk', () => {
  it.each<[string, Partial<TranscriptionResponse>]>([
    ['words in milliseconds', { words: placeWords((index) => [2_000 + 500 * index, 2_400 + 500 * index]) }],
    ['words that are all at the beginning', { words: placeWords(() => [0, 0]) }],
    ['words that are all at one moment', { words: placeWords(() => [5, 5]) }],
    ['segments in milliseconds', { segments: [createSegment(text, 2_000, 12_000)] }],
    [
      'words of segments in milliseconds',
      { segments: [{ ...createSegment(text, 2_000, 12_000), words: placeWords(() => [2_000, 2_400]) }] },
    ],
    ['one segment without a length', { segments: [createSegment(text, 0, 0)] }],
    [
      'two segments in milliseconds',
      { segments: [createSegment('one two', 0, 4_000), createSegment('three four', 4_000, 9_000)] },
    ],
    [
      'two words in milliseconds',
      { text: 'one two', words: [createResponseWord('one', 0, 300), createResponseWord('two', 300, 600)] },
    ],
    ['one segment at a moment', { segments: [createSegment(text, 5, 5)] }],
    ['segments without a length', { segments: SPOKEN.map((word) => createSegment(word, 0, 0)) }],
  ])('%s: all words are estimated to be in the detected speech', (_, lists) => {
    const { words, timesEstimated, doubtedWords } = convert({ text, ...lists });
    expect(words.map((word) => word.text)).toEqual(('text' in lists ? 'one two' : text).split(' '));
    expect({ timesEstimated, doubtedWords }).toEqual({ timesEstimated: true, doubtedWords: 0 });
    for (const { start, end } of words) {
      expect(end).toBeGreaterThan(start);
      expect(SPEECH.some((span) => start >= span.start && end <= span.end)).toBe(true);
    }
  });

  it('of words leave the times of segments that are usable', () => {
    const segments = [createSegment('one two', 2, 4), createSegment('three four', 10, 12)];
    const { words } = convert({ text, words: placeWords(() => [0, 0]), segments });
    expect(words.map(({ start }) => start >= 10)).toEqual([false, false, true, true]);
  });

  it('are not those of a few invented words after the end, nor of one word that is rounded to a moment', () => {
    const invented = createResponseWord('subscribe', 29, 30);
    const beyond = convert({
      text: `${text} subscribe`,
      words: [...placeWords((at) => [at, at + 1]), invented],
    });
    expect(beyond).toMatchObject({ doubtedWords: 1, timesEstimated: false });
    const { words } = convert({ text: 'one', words: [createResponseWord('one', 3, 3)] });
    expect(words).toMatchObject([{ start: 3, end: 3.45 }]);
  });
});

describe('a word whose start is an error', () => {
  it.each([0, 5_000])('stays at its place in the list: %d', (start) => {
    const words = [5, 6, 7, 8].map((at, index) => createResponseWord(SPOKEN[index] ?? '', at, at + 0.5));
    words[1] = createResponseWord('two', start, start);
    const found = convert({ text, words }).words.map((word) => word.text);
    expect(found).toEqual(SPOKEN);
  });
});

describe('figures of segments without usable times', () => {
  it('tell that the only one was invented', () => {
    const figures = { no_speech_prob: 0.95, avg_logprob: -1.4 };
    const segments = [createSegment('Thank you.', 0, 0, figures)];
    expect(convert({ text: 'Thank you.', segments })).toMatchObject({ words: [], doubtedWords: 2 });
  });

  it('are the confidence of their words', () => {
    const segments = SPOKEN.map((word) => createSegment(word, 0, 0, { avg_logprob: -0.5 }));
    expect(convert({ text, segments }).words[0]?.confidence).toBeCloseTo(Math.exp(-0.5));
  });

  it('leave the times of their words', () => {
    const words = placeWords((at) => [2 + at, 2.5 + at]);
    const { words: found } = convert({ text, segments: [{ ...createSegment(text, 2_000, 5_500), words }] });
    expect(found.map(({ start }) => start)).toEqual([2, 3, 4, 5]);
  });
});

describe('a segment that is listed twice', () => {
  const listed = [
    createSegment('one two', 2, 4),
    createSegment('one two', 2, 4),
    createSegment('three four', 10, 12),
  ];

  it.each(['one two one two three four', text])('counts once, if the text is %j', (whole) => {
    expect(listWordTexts(createResponse({ text: whole, segments: listed }), DURATION)).toEqual(SPOKEN);
  });

  it('at another time was said twice', () => {
    const segments = [createSegment('one two', 2, 4), createSegment('one two', 4, 6)];
    expect(listWordTexts(createResponse({ text: 'one two one two', segments }), DURATION)).toHaveLength(4);
  });

  it('without a length was said twice', () => {
    const segments = [createSegment('No.', 0, 0), createSegment('No.', 0, 0)];
    expect(listWordTexts(createResponse({ text: 'No. No.', segments }), DURATION)).toEqual(['No.', 'No.']);
  });
});
