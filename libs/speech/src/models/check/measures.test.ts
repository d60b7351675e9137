import { describe, expect, it } from 'vitest';
import { computeSpeakerAccuracy } from './compute-speaker-accuracy.js';
import { computeWordAccuracy } from './compute-word-accuracy.js';

describe('computeWordAccuracy', () => {
  it.each([
    ['One two, three four.', 'one two three four', 1],
    ['One two three four.', 'one two four', 0.75],
    ['One two three four.', 'one too three four', 0.75],
    ['One two three four.', 'one two extra three four', 0.75],
    ['It’s fine.', "it's fine", 1],
    ['One two.', '', 0],
    ['One two.', 'a b c d e f', 0],
    ['', '', 1],
  ])('%j, transcribed as %j: %d', (text, transcript, share) => {
    expect(computeWordAccuracy(text, transcript)).toBe(share);
  });
});

describe('computeSpeakerAccuracy', () => {
  const turn = (speaker: string, start: number, end: number) => ({ speaker, text: '', start, end });
  const turns = [turn('Ann', 0, 4), turn('Bob', 4, 8), turn('Ann', 8, 10)];

  it.each<{ name: string; found: [number, number, number][]; share: number }>([
    {
      name: 'all right',
      found: [
        [0, 0, 4],
        [1, 4, 8],
        [0, 8, 10],
      ],
      share: 1,
    },
    {
      name: 'other numbers',
      found: [
        [7, 0, 4],
        [3, 4, 8],
        [7, 8, 10],
      ],
      share: 1,
    },
    { name: 'one label for all', found: [[0, 0, 10]], share: 0.6 },
    {
      name: 'one turn missing',
      found: [
        [0, 0, 4],
        [1, 4, 8],
      ],
      share: 0.8,
    },
    {
      name: 'a speaker split in two',
      found: [
        [0, 0, 4],
        [1, 4, 8],
        [2, 8, 10],
      ],
      share: 0.8,
    },
    { name: 'nothing found', found: [], share: 0 },
  ])('$name: $share', ({ found, share }) => {
    const speakers = found.map(([speaker, start, end]) => ({ speaker, start, end }));
    expect(computeSpeakerAccuracy(turns, speakers)).toBeCloseTo(share);
  });
});
