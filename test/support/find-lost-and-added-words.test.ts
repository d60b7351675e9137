import { expect, it } from 'vitest';
import { findLostAndAddedWords } from './find-lost-and-added-words.js';

const timedWords = (text: string) =>
  text.split(' ').map((word, index) => ({ text: word, start: index, end: index + 1 }));

it('findLostAndAddedWords reports lost and doubled words with their times', () => {
  expect(findLostAndAddedWords(timedWords('one two three'), timedWords('one two three'))).toEqual([]);
  expect(findLostAndAddedWords(timedWords('one two three'), timedWords('one three'))).toEqual([
    { kind: 'lost', text: 'two', at: 1.5 },
  ]);
  expect(findLostAndAddedWords(timedWords('one two three'), timedWords('one two two three'))).toMatchObject([
    { kind: 'added', text: 'two' },
  ]);
  expect(findLostAndAddedWords(timedWords('one two three'), timedWords('one too three'))).toEqual([]);
  expect(findLostAndAddedWords([], timedWords('one'))).toMatchObject([
    { kind: 'added', text: 'one', at: 0.5 },
  ]);
});
