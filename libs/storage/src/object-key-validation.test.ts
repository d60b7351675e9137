import { describe, expect, it } from 'vitest';
import { assertDeletablePrefix, assertObjectKey, assertKeyPrefix } from './object-key-validation.js';
import { InvalidObjectKeyError } from './store-errors.js';

describe('assertObjectKey', () => {
  it.each(['a', 'audio/0198c0de/source', 'a/b.c/D_e-f=1', '.hidden', '...', 'a/..b/c..'])(
    'accepts %j',
    (key) => {
      expect(() => assertObjectKey(key)).not.toThrow();
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
  ])('rejects %j', (key) => {
    expect(() => assertObjectKey(key)).toThrow(InvalidObjectKeyError);
  });
});

describe('assertKeyPrefix', () => {
  it.each(['', 'a', 'a/', 'a/b', 'a/.'])('accepts %j', (prefix) => {
    expect(() => assertKeyPrefix(prefix)).not.toThrow();
  });

  it.each(['/', '../', 'a/../', 'a//', 'a/\0', 'a/../b'])('rejects %j', (prefix) => {
    expect(() => assertKeyPrefix(prefix)).toThrow(InvalidObjectKeyError);
  });

  it('rejects the empty prefix for deletion', () => {
    expect(() => assertDeletablePrefix('')).toThrow(InvalidObjectKeyError);
    expect(() => assertDeletablePrefix('a/')).not.toThrow();
  });
});
