import { describe, expect, it } from 'vitest';
import { getGlobBase, globToRegExp } from './glob.js';

describe('a pattern', () => {
  it.each([
    ['*.mp3', 'a.mp3', true],
    ['*.mp3', 'sub/a.mp3', false],
    ['talks/**/*.mp3', 'talks/a.mp3', true],
    ['talks/**/*.mp3', 'talks/x/y/a.mp3', true],
    ['talks/**', 'talks/x/a.mp3', true],
    ['a?.wav', 'a1.wav', true],
    ['a[0-9].wav', 'ax.wav', false],
    ['a[!0-9].wav', 'ax.wav', true],
    ['a.{wav,mp3}', 'a.mp3', true],
    ['a.{wav,mp3}', 'a.ogg', false],
    ['a+(b).wav', 'a+(b).wav', true],
    ['a{b*.wav', 'a{bc.wav', true],
  ])('%s matches %s: %s', (pattern, path, expected) => {
    expect(globToRegExp(pattern).test(path)).toBe(expected);
  });

  it.each([
    ['*.mp3', '.'],
    ['/data/*.mp3', '/data'],
    ['talks/2026/**/*.mp3', 'talks/2026'],
    ['/*.mp3', '/'],
  ])('%s is searched below %s', (pattern, base) => {
    expect(getGlobBase(pattern)).toBe(base);
  });
});
