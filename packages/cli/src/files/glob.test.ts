import { describe, expect, it } from 'vitest';
import { getGlobBase, globToFolderRegExp, globToRegExp, normalizeGlobSeparators } from './glob.js';

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
    ['talks\\*.mp3', 'talks'],
    ['.\\talks\\*.mp3', './talks'],
    ['..\\talks\\*.mp3', '../talks'],
    ['C:\\talks\\**\\*.mp3', 'C:/talks'],
    ['C:\\*.mp3', 'C:/'],
    ['C:/talks/*.mp3', 'C:/talks'],
    ['\\\\host\\talks\\*.mp3', '//host/talks'],
  ])('%s is searched on Windows below %s', (pattern, base) => {
    expect(getGlobBase(normalizeGlobSeparators(pattern, '\\'))).toBe(base);
  });

  it('has backslashes in names where the system has them', () => {
    expect(normalizeGlobSeparators('talks/a\\b*.mp3', '/')).toBe('talks/a\\b*.mp3');
  });

  it.each([
    ['*.mp3', '.'],
    ['/data/*.mp3', '/data'],
    ['talks/2026/**/*.mp3', 'talks/2026'],
    ['/*.mp3', '/'],
  ])('%s is searched below %s', (pattern, base) => {
    expect(getGlobBase(pattern)).toBe(base);
  });

  it.each([
    ['*/*/a.mp3', 'x', true],
    ['*/*/a.mp3', 'x/y', true],
    ['*/*/a.mp3', 'x/y/z', false],
    ['/data/*.mp3', '/data/x', false],
    ['/data/[a-c]/*.mp3', '/data/b', true],
    ['talks/**/a/*.mp3', 'talks/x/y/z', true],
    ['talks**/*.mp3', 'talks/x', true],
    ['talks/**', 'talks/x/y', true],
    ['s{ub/a,b}*.mp3', 'sub', true],
    ['{a/b,c}/*.mp3', 'a', true],
    ['a{b/*.mp3', 'a{b', true],
    ['a{b/*.mp3', 'a{b/c', false],
  ])('%s is searched in the folder %s: %s', (pattern, folder, expected) => {
    expect(globToFolderRegExp(pattern).test(folder)).toBe(expected);
  });
});
