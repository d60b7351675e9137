import { describe, expect, it } from 'vitest';
import { checkDeletablePrefix, checkKey, checkPrefix } from './keys.js';
import { KeyRefused } from './store-errors.js';

describe('checkKey', () => {
  it.each(['a', 'audio/0198c0de/source', 'a/b.c/D_e-f=1', '.hidden', '...', 'a/..b/c..'])(
    'takes %j',
    (key) => {
      expect(() => checkKey(key)).not.toThrow();
    },
  );

  it.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/..',
    './a',
    '%2e%2e/a',
    'a%2fb',
    'a\\b',
    '..\\a',
    'a\0b',
    'a b',
    'a\nb',
    'é',
    '\uff0e\uff0e/a',
    '\u2025/a',
    '\ud800',
    'a@meta',
    'a+b',
    'x'.repeat(101),
    `${'x'.repeat(64)}/`.repeat(8) + 'y',
  ])('refuses %j', (key) => {
    expect(() => checkKey(key)).toThrow(KeyRefused);
  });
});

describe('checkPrefix', () => {
  it.each(['', 'a', 'a/', 'a/b', 'a/.'])('takes %j', (prefix) => {
    expect(() => checkPrefix(prefix)).not.toThrow();
  });

  it.each(['/', '../', 'a/../', 'a//', 'a/\0', 'a/../b'])('refuses %j', (prefix) => {
    expect(() => checkPrefix(prefix)).toThrow(KeyRefused);
  });

  it('does not let the whole store be deleted', () => {
    expect(() => checkDeletablePrefix('')).toThrow(KeyRefused);
    expect(() => checkDeletablePrefix('a/')).not.toThrow();
  });
});
