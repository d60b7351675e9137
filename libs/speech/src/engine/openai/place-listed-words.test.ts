import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import {
  createResponse,
  createResponseWord,
  createSegment,
  listWordTexts,
  listWordTimes,
} from './testing/response-builders.js';

describe('words without a length', () => {
  it('words whose time is a moment last until the next word, at most as long as slow speech', () => {
    const words = [
      createResponseWord('one', 1, 1),
      createResponseWord(',', 1, 1),
      createResponseWord('two', 1, 0),
      createResponseWord('three', 1.4, 2),
      createResponseWord('four', 5, null),
      createResponseWord('five', 9, 9.5),
    ];
    const response = createResponse({ text: 'one, two three four five', words });
    const converted = convertTranscriptionDroppingHallucinations(response, 10);
    expect(converted.words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['one,', 1, expect.closeTo(1.23)],
      ['two', expect.closeTo(1.23), expect.closeTo(1.4)],
      ['three', 1.4, 2],
      ['four', 5, expect.closeTo(5.6)],
      ['five', 9, 9.5],
    ]);
    expect(converted.timesEstimated).toBe(false);
  });

  it('words whose times are rounded to seconds share the second', () => {
    const words = [
      createResponseWord('one', 3, 3),
      createResponseWord('two', 3, 3),
      createResponseWord('six', 3, 4),
      createResponseWord('今天', 6, 6),
    ];
    const { words: found } = convertTranscriptionDroppingHallucinations(
      createResponse({ text: 'one two six 今天', words }),
      10,
    );
    expect(found.slice(0, 3).map(({ start, end }) => end - start)).toEqual(
      Array.from({ length: 3 }, () => expect.closeTo(1 / 3)),
    );
    expect(found.at(-1)?.end).toBeCloseTo(6.8);
  });
});

describe('words whose times are out of order', () => {
  const convert = (starts: number[], duration: number) =>
    convertTranscriptionDroppingHallucinations(
      createResponse({
        text: starts.map((_, index) => `word${index}`).join(' '),
        words: starts.map((start, index) => createResponseWord(`word${index}`, start, start + 0.8)),
      }),
      duration,
      [{ start: 0, end: 7 }],
    );

  it.each([26, 7])('one late time moves no other word, in a chunk of %d s', (duration) => {
    const { words, doubtedWords } = convert([0, 1, 25, 3, 4, 5], duration);
    expect(doubtedWords).toBe(0);
    expect(words.map(({ text }) => text)).toEqual(['word0', 'word1', 'word2', 'word3', 'word4', 'word5']);
    expect(words.map(({ start }) => start)).toEqual([0, 1, expect.closeTo(1.8), 3, 4, 5]);
    expect(words.map(({ estimatedWithin }) => estimatedWithin !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    expect(words[2]?.end).toBeLessThanOrEqual(3);
  });

  it('an early time does not either', () => {
    const { words } = convert([0, 1, 2, 0, 4, 5], 7);
    expect(words.map(({ start }) => start)).toEqual([0, 1, 2, expect.closeTo(2.8), 4, 5]);
  });

  it('a start that is only a little before the one before it stays a measured one', () => {
    const { words } = convert([0, 1, 2, 1.8, 3, 4], 7);
    expect(words.map(({ start }) => start)).toEqual([0, 1, 2, 2, 3, 4]);
    expect(words.every(({ estimatedWithin }) => estimatedWithin === undefined)).toBe(true);
  });

  it('words after the end of the chunk are still dropped at its end', () => {
    const { words, doubtedWords } = convert([0, 1, 2, 28, 29], 7);
    expect([words.length, doubtedWords]).toEqual([3, 2]);
  });
});

it('a word without times leaves those after it theirs when the word before it ends late', () => {
  const words = [
    createResponseWord('alpha', 0, 5),
    createResponseWord('untimed'),
    createResponseWord('beta', 3, 4),
    createResponseWord('gamma', 4.5, 4.9),
    createResponseWord('delta', 6, 7),
  ];
  const response = createResponse({ text: 'alpha untimed beta gamma delta', words });
  expect(listWordTimes(response)).toEqual([
    [0, 5],
    [3, 3],
    [3, 4],
    [4.5, 4.9],
    [6, 7],
  ]);
});

describe('words without times after a word that ends after the chunk', () => {
  const listed = [
    createResponseWord('hello', 1, 2),
    createResponseWord('world', 9.4, 10.3),
    createResponseWord('again', null, null),
    createResponseWord('now'),
  ];

  it('are kept at the end of the chunk', () => {
    const response = createResponse({ text: 'hello world again now', words: listed });
    const { words, doubtedWords } = convertTranscriptionDroppingHallucinations(response, 10);
    expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['hello', 1, 2],
      ['world', 9.4, 10],
      ['again', 10, 10],
      ['now', 10, 10],
    ]);
    expect(doubtedWords).toBe(0);
  });

  it('are kept when the tokens of their segment are damaged', () => {
    const segments = [
      {
        ...createSegment(' Guten Tag', 9, 10.4),
        words: [createResponseWord(' Guten', 9, 9.6), createResponseWord(' Tag', 9.6, 10.4)],
      },
      { ...createSegment(' Grüße an alle', 10.4, 12), words: [createResponseWord(' Gr\ufffd', 10.4, 12)] },
    ];
    const response = createResponse({ text: 'Guten Tag Grüße an alle', segments });
    expect(listWordTexts(response)).toEqual(['Guten', 'Tag', 'Grüße', 'an', 'alle']);
  });

  it('are kept before words that start after it', () => {
    const words = [
      createResponseWord('hello', 1, 2),
      createResponseWord('again'),
      createResponseWord('now'),
      createResponseWord('Thanks', 29, 30),
    ];
    const response = createResponse({ text: 'hello again now Thanks', words });
    expect(listWordTexts(response)).toEqual(['hello', 'again', 'now']);
  });

  it('are never dropped after a word of the chunk', () => {
    const duration = 10;
    const upTo = (seconds: number) => fc.integer({ min: 0, max: 10 * seconds }).map((tenths) => tenths / 10);
    const timed = fc.tuple(upTo(duration + 3), upTo(3));
    const word = fc.oneof(timed, fc.constant(null));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (times) => {
        const words = times.map((time, at) =>
          time ? createResponseWord(`w${at}`, time[0], time[0] + time[1]) : createResponseWord(`w${at}`),
        );
        const firstOutside = times.findIndex((time) => time && time[0] >= duration);
        const wanted = words
          .slice(0, firstOutside < 0 ? words.length : firstOutside)
          .filter(({ start }) => start === undefined)
          .map(({ word: text }) => text);
        const response = createResponse({ text: words.map(({ word: text }) => text).join(' '), words });
        expect(listWordTexts(response, duration)).toEqual(expect.arrayContaining(wanted));
      }),
    );
  });
});
