import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CreateUploadDto } from '../uploads/upload.dto.js';
import { createValidatedDto } from '../validation/create-validated-dto.js';
import { fingerprintRequest } from './fingerprint-request.js';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reversed(field)]),
  );
};

describe('fingerprintRequest', () => {
  it('returns 64 hexadecimal digits', () => expect(fingerprintRequest({ a: 1 })).toMatch(/^[0-9a-f]{64}$/));

  it('ignores the order of fields, at any depth', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (request) => {
        expect(fingerprintRequest(reversed(request) as object)).toBe(fingerprintRequest(request));
      }),
    );
  });

  it('treats null like an absent field', () => {
    expect(fingerprintRequest({ a: 1, b: null, c: undefined })).toBe(fingerprintRequest({ a: 1 }));
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { b: 1 }],
    [{ a: ['x', 'y'] }, { a: ['y', 'x'] }],
    [{ a: [] }, {}],
    [{ a: { b: 1 } }, { a: ['b', 1] }],
  ])('distinguishes %j from %j', (one, other) => {
    expect(fingerprintRequest(one)).not.toBe(fingerprintRequest(other));
  });

  it('covers the validated fields of a body and nothing else', () => {
    const of = (body: string) => fingerprintRequest(createValidatedDto(CreateUploadDto, JSON.parse(body)));
    const first = of('{"file_size": 7, "nltk": false}');
    expect(of('{"nltk":false,"unknown":[1],"file_size":7.0,"audio_url":null}')).toBe(first);
    expect(of('{"file_size": 7, "nltk": true}')).not.toBe(first);
  });
});
