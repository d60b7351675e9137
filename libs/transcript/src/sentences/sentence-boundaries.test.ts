import { describe, expect, it } from 'vitest';
import { wordsFromLine } from '../testing/samples.js';
import {
  findEngineMarkBreaks,
  findPauseBreaks,
  findPauseBreaksWeighedByWords,
} from './sentence-boundaries.js';

const english = (line: string) => wordsFromLine(line).map((word) => ({ ...word, language: 'en' }));

describe('findPauseBreaks', () => {
  it('breaks only at silence', () => {
    expect(findPauseBreaks(english('a b (0.7) c (0.5) d (0.7) the (0.7) e'))).toEqual([2, 4, 5]);
  });
});

describe('findUnmarkedSentenceBreaks', () => {
  it('does not end a sentence after a non-final word unless the silence is long', () => {
    expect(findPauseBreaksWeighedByWords(english('we saw the (0.9) river'))).toEqual([]);
    expect(findPauseBreaksWeighedByWords(english('we saw the (2.5) river'))).toEqual([3]);
    expect(findPauseBreaksWeighedByWords(english('we saw it (0.9) again'))).toEqual([3]);
  });

  it('adapts to the usual pauses of the speaker', () => {
    const line = english('the water is cold (0.5) stones fall down');
    expect(findPauseBreaksWeighedByWords(line)).toEqual([4]);
    expect(findPauseBreaksWeighedByWords(line, 0.9)).toEqual([]);
  });

  it('needs little silence before an English question, and applies no such rule to other languages', () => {
    const line = 'we saw it (0.1) what do you think';
    expect(findPauseBreaksWeighedByWords(english(line))).toEqual([3]);
    expect(
      findPauseBreaksWeighedByWords(wordsFromLine(line).map((word) => ({ ...word, language: 'nl' }))),
    ).toEqual([]);
  });

  it('splits a long monologue at its widest pauses', () => {
    const line = `${'word '.repeat(30)}(0.2) ${'word '.repeat(30)}`;
    expect(findPauseBreaksWeighedByWords(english(line))).toEqual([30]);
    expect(findPauseBreaksWeighedByWords(english('word '.repeat(90)))).toEqual([]);
  });

  it('splits a monologue whose first pause comes late', () => {
    const line = `${'word '.repeat(100)}(0.2) ${'word '.repeat(35)}(0.2) ${'word '.repeat(35)}`;
    expect(findPauseBreaksWeighedByWords(english(line))).toEqual([100, 135]);
  });
});

describe('findEngineMarkBreaks', () => {
  it('breaks after sentence marks, but not after abbreviations or before lower case', () => {
    expect(
      findEngineMarkBreaks(english('Hi. Mr. Lee (0.9) came at 5 p.m. today. “Why?” J. R. asked!')),
    ).toEqual([1, 8, 9]);
  });

  it('ends a sentence after a letter that is no initial', () => {
    const breaksOf = (line: string) => findEngineMarkBreaks(english(line));
    expect(breaksOf('Take plan B. We think so. It has vitamin C. (0.5) Oranges do.')).toEqual([3, 6, 10]);
    expect(breaksOf('Nobody came. J. R. Smith and A. Lee left.')).toEqual([2]);
    expect(findEngineMarkBreaks(wordsFromLine('Das ist Plan B. (0.5) Wir gehen.'))).toEqual([4]);
  });

  it('breaks after a quoted sentence, unless a Japanese one goes on', () => {
    expect(findEngineMarkBreaks(wordsFromLine('「行く。」 「はい。」 彼は'))).toEqual([1, 2]);
    expect(findEngineMarkBreaks(wordsFromLine('「行く。」 と 言う。 彼は'))).toEqual([3]);
  });

  it('breaks at long silence in a text without marks', () => {
    expect(findEngineMarkBreaks(english('la la (2.5) la la'))).toEqual([2]);
  });
});
