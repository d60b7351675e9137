import { describe, expect, it } from 'vitest';
import { findSimilarWord } from './find-similar-word.js';

const COMMANDS = ['transcribe', 'transcript', 'watch', 'jobs', 'login', 'logout', 'eval'];

describe('findSimilarWord', () => {
  it.each([
    ['transcrieb', 'transcribe'],
    ['trnscript', 'transcript'],
    ['wathc', 'watch'],
    ['job', 'jobs'],
    ['logn', 'login'],
    ['list', undefined],
    ['x', undefined],
    ['', undefined],
  ])('finds what was meant by "%s": %s', (typed, expected) => {
    expect(findSimilarWord(typed, COMMANDS)).toBe(expected);
  });
});
