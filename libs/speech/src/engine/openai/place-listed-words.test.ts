import { describe, expect, it } from 'vitest';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import { createResponse, createResponseWord } from './testing/response-builders.js';

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
