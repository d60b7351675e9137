import { describe, expect, it } from 'vitest';
import { scorePunctuation } from './score-punctuation.js';

describe('scorePunctuation', () => {
  it('marks after the same word are counted, although other words differ, are missing or were added', () => {
    const scores = scorePunctuation(
      'Yes, I am here. Where are you? Not far, I hope.',
      'Yes I am here. And where are you? Far I hope.',
    );
    expect(scores).toEqual({
      '.': { right: 2, set: 2, written: 2 },
      ',': { right: 0, set: 0, written: 2 },
      '?': { right: 1, set: 1, written: 1 },
    });
  });

  it('another mark in the same place is not counted', () => {
    expect(scorePunctuation('Are you there?', 'Are you there.')['?']).toEqual({
      right: 0,
      set: 0,
      written: 1,
    });
  });
});
