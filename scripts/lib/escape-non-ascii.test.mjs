import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { escapeNonAscii } from './escape-non-ascii.mjs';

describe('a script with escaped characters', () => {
  it.each([
    ['a string', `'Zürich, 東京, 🎧'`],
    ['a string with an escaped character', String.raw`'\“ \\“ \\\“'`],
    ['a template', '`é ${1} 🎧`'],
    ['an object with names', '({ größe: 1, "größe 2": 2 })'],
  ])('has the same value: %s', (_, code) => {
    const escaped = escapeNonAscii(code);
    expect(escaped).not.toMatch(/[\u0080-\uFFFF]/);
    expect(runInThisContext(escaped)).toEqual(runInThisContext(code));
  });

  it.each([
    ['/^[à-ü]+$/', 'éü'],
    ['/^[🎧-🎩]$/u', '🎨'],
    [String.raw`/^\“$/`, '“'],
  ])('matches the same text: %s', (code, text) => {
    expect(runInThisContext(escapeNonAscii(code)).test(text)).toBe(true);
  });

  it('keeps a script in ASCII', () => {
    expect(escapeNonAscii(String.raw`'\\n' + "\n"`)).toBe(String.raw`'\\n' + "\n"`);
  });
});
