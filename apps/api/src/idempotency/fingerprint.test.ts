import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CreateUploadDto } from '../uploads/upload.dto.js';
import { checked } from '../validation/validation.js';
import { fingerprintOf } from './fingerprint.js';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reversed(field)]),
  );
};

describe('fingerprintOf', () => {
  it('is 64 hexadecimal digits', () => expect(fingerprintOf({ a: 1 })).toMatch(/^[0-9a-f]{64}$/));

  it('does not see the order of fields, at any depth', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (request) => {
        expect(fingerprintOf(reversed(request) as object)).toBe(fingerprintOf(request));
      }),
    );
  });

  it('takes null for absent', () => {
    expect(fingerprintOf({ a: 1, b: null, c: undefined })).toBe(fingerprintOf({ a: 1 }));
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { b: 1 }],
    [{ a: ['x', 'y'] }, { a: ['y', 'x'] }],
    [{ a: [] }, {}],
    [{ a: { b: 1 } }, { a: ['b', 1] }],
  ])('tells %j from %j', (one, other) => {
    expect(fingerprintOf(one)).not.toBe(fingerprintOf(other));
  });

  it('sees of a body what was validated, and nothing else', () => {
    const of = (body: string) => fingerprintOf(checked(CreateUploadDto, JSON.parse(body)));
    const first = of('{"file_size": 7, "nltk": false}');
    expect(of('{"nltk":false,"unknown":[1],"file_size":7.0,"audio_url":null}')).toBe(first);
    expect(of('{"file_size": 7, "nltk": true}')).not.toBe(first);
  });
});
