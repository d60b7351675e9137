import { describe, expect, it } from 'vitest';
import { speak } from '../testing/samples.js';
import { breaksAtMarks, breaksAtPauses, breaksByEar } from './boundaries.js';

const english = (line: string) => speak(line).map((word) => ({ ...word, language: 'en' }));

describe('breaksAtPauses', () => {
  it('breaks at silence alone', () => {
    expect(breaksAtPauses(english('a b (0.7) c (0.5) d (0.7) the (0.7) e'))).toEqual([2, 4, 5]);
  });
});

describe('breaksByEar', () => {
  it('does not end a sentence on a word that leans forward, unless the silence is long', () => {
    expect(breaksByEar(english('we saw the (0.9) river'))).toEqual([]);
    expect(breaksByEar(english('we saw the (2.5) river'))).toEqual([3]);
    expect(breaksByEar(english('we saw it (0.9) again'))).toEqual([3]);
  });

  it('takes the silence for how long the speaker usually makes it', () => {
    const line = english('the water is cold (0.5) stones fall down');
    expect(breaksByEar(line)).toEqual([4]);
    expect(breaksByEar(line, 0.9)).toEqual([]);
  });

  it('needs hardly any silence before a question, none of these rules in another language', () => {
    const line = 'we saw it (0.1) what do you think';
    expect(breaksByEar(english(line))).toEqual([3]);
    expect(breaksByEar(speak(line).map((word) => ({ ...word, language: 'nl' })))).toEqual([]);
  });

  it('cuts a monologue without pauses where it breathes', () => {
    const line = `${'word '.repeat(30)}(0.2) ${'word '.repeat(30)}`;
    expect(breaksByEar(english(line))).toEqual([30]);
    expect(breaksByEar(english('word '.repeat(90)))).toEqual([]);
  });
});

describe('breaksAtMarks', () => {
  it('breaks after sentence marks, not after abbreviations or before lower case', () => {
    expect(breaksAtMarks(english('Hi. Mr. Lee (0.9) came at 5 p.m. today. “Why?” J. R. asked!'))).toEqual([
      1, 8, 9,
    ]);
  });

  it('breaks at long silence in a text without marks', () => {
    expect(breaksAtMarks(english('la la (2.5) la la'))).toEqual([2]);
  });
});
