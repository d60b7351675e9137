import { describe, expect, it } from 'vitest';
import { parseIdempotencyKey } from './parse-idempotency-key.js';

const keyOf = (...values: string[]) =>
  parseIdempotencyKey({ headersDistinct: values.length > 0 ? { 'idempotency-key': values } : {} });

describe('parseIdempotencyKey', () => {
  it('returns null without the header', () => expect(keyOf()).toBeNull());

  it.each([
    'a',
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
    '"quoted"',
    'two words, and a comma',
    'k'.repeat(255),
  ])('returns %j unchanged', (key) => expect(keyOf(key)).toBe(key));

  it.each(['', 'k'.repeat(256), 'caf\u00e9', 'a\tb', 'a\u0000', '\u007f'])(
    'rejects %j and names the header',
    (key) => {
      expect(() => keyOf(key)).toThrow(/^Idempotency-Key: must be 1 to 255 printable/);
    },
  );

  it.each([
    ['a', 'a'],
    ['a', 'b'],
  ])('rejects two header values, equal or not (%s, %s)', (...keys) => {
    expect(() => keyOf(...keys)).toThrow(/^Idempotency-Key: must be sent once/);
  });
});
