import { describe, expect, it } from 'vitest';
import { parseMailAddress } from './mail-address.js';

describe('a mail address', () => {
  it.each([
    [' Olivia@Example.org ', 'olivia@example.org'],
    ['o.brien+zephyr@mail.example.org', 'o.brien+zephyr@mail.example.org'],
    ["o'brien@example.org", "o'brien@example.org"],
    ['owner@localhost', 'owner@localhost'],
    ['jürgen@bücher.example', 'jürgen@bücher.example'],
    [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
  ])('%j is stored as %j', (given, stored) => {
    expect(parseMailAddress(given)).toBe(stored);
  });

  it.each([
    '',
    'olivia',
    'olivia@',
    '@example.org',
    'olivia@example',
    'olivia@example..org',
    'olivia@@example.org',
    '"a b"@example.org',
    '"ab"@example.org',
    'a b@example.org',
    'olivia@exam ple.org',
    'other@example.org,olivia@example.org',
    'other,olivia@example.org',
    'friends:olivia@example.org',
    'olivia(comment)@example.org',
    'Olivia <olivia@example.org>',
    'olivia@[127.0.0.1]',
    'olivia\u0000@example.org',
    'olivia\uD800@example.org',
    'olivia\u202E@example.org',
    `${'a'.repeat(65)}@example.org`,
    `olivia@${'a'.repeat(248)}.org`,
  ])('%j is refused, and the error names the field', (given) => {
    expect(() => parseMailAddress(given)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [{ field: 'email', message: 'must be a mail address' }],
      }),
    );
  });
});
