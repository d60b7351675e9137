import { describe, expect, it } from 'vitest';
import { idempotencyKeyOf } from './idempotency-key.js';

const keyOf = (...sent: string[]) =>
  idempotencyKeyOf({ headersDistinct: sent.length > 0 ? { 'idempotency-key': sent } : {} });

describe('idempotencyKeyOf', () => {
  it('gives null without a key', () => expect(keyOf()).toBeNull());

  it.each([
    'a',
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
    '"quoted"',
    'two words, and a comma',
    'k'.repeat(255),
  ])('takes %j as it is', (key) => expect(keyOf(key)).toBe(key));

  it.each(['', 'k'.repeat(256), 'caf\u00e9', 'a\tb', 'a\u0000', '\u007f'])(
    'refuses %j, naming the header',
    (key) => {
      expect(() => keyOf(key)).toThrow(/^Idempotency-Key: must be 1 to 255 printable/);
    },
  );

  it.each([
    ['a', 'a'],
    ['a', 'b'],
  ])('refuses two, were they the same or not (%s, %s)', (...keys) => {
    expect(() => keyOf(...keys)).toThrow(/^Idempotency-Key: must be sent once/);
  });
});
