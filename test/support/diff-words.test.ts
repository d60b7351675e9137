import { expect, it } from 'vitest';
import { diffWords } from './diff-words.js';

const timedWords = (text: string) =>
  text.split(' ').map((word, index) => ({ text: word, start: index, end: index + 1 }));

it('diffWords reports lost and doubled words with their times', () => {
  expect(diffWords(timedWords('one two three'), timedWords('one two three'))).toEqual([]);
  expect(diffWords(timedWords('one two three'), timedWords('one three'))).toEqual([
    { kind: 'lost', text: 'two', at: 1.5 },
  ]);
  expect(diffWords(timedWords('one two three'), timedWords('one two two three'))).toMatchObject([
    { kind: 'added', text: 'two' },
  ]);
  expect(diffWords(timedWords('one two three'), timedWords('one too three'))).toEqual([]);
  expect(diffWords([], timedWords('one'))).toMatchObject([{ kind: 'added', text: 'one', at: 0.5 }]);
});
