import { describe, expect, it } from 'vitest';
import { emptyMetadataToNull, findMetadataErrors, collectMetadataParameters } from './job-metadata.js';

const fields = (metadata: unknown) => findMetadataErrors(metadata).map(({ field }) => field);
const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'value']));

describe('metadata', () => {
  it.each([
    [{ a: '' }],
    [{ 'A.b_c-9': 'x'.repeat(200) }],
    [{ a: '😀'.repeat(200) }],
    [{ ['k'.repeat(40)]: '<b> "quoted" é' }],
    [JSON.parse('{"__proto__": "a", "constructor": "b"}')],
    [entries(16)],
    [{}],
    [null],
    [undefined],
  ])('is valid as %j', (metadata) => {
    expect(fields(metadata)).toEqual([]);
  });

  it.each([
    ['a value that is too long', { a: 'x'.repeat(201) }, 'metadata.a'],
    ['a control character', { a: 'x\ny' }, 'metadata.a'],
    ['half a character', { a: '\ud800' }, 'metadata.a'],
    ['a number', { a: 1 }, 'metadata.a'],
    ['null', { a: null }, 'metadata.a'],
    ['a list', { a: ['b'] }, 'metadata.a'],
    ['a key with a blank', { 'a b': 'x' }, 'metadata.a b'],
    ['a key of another script', { é: 'x' }, 'metadata.é'],
    ['an empty key', { '': 'x' }, 'metadata.'],
    ['a key that is too long', { ['k'.repeat(41)]: 'x' }, `metadata.${'k'.repeat(40)}`],
    ['too many entries', entries(17), 'metadata'],
  ])('is invalid with %s', (_, metadata, field) => {
    expect(fields(metadata)).toEqual([field]);
  });

  it('says that a number must be a string, and what is too long', () => {
    const errors = findMetadataErrors({ a: 1, b: ['x'], c: 'x'.repeat(201) });
    expect(errors.map(({ message }) => message)).toEqual([
      'must be a string',
      'must be a string, given once',
      'must be text of at most 200 characters without control characters',
    ]);
  });

  it('names every invalid entry', () => {
    expect(fields({ a: 1, b: 'right', 'c c': 'x' })).toEqual(['metadata.a', 'metadata.c c']);
  });

  it('is null when it has no entries', () => {
    expect([emptyMetadataToNull({}), emptyMetadataToNull(null), emptyMetadataToNull(undefined)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is parsed from parameters with a dot or brackets', () => {
    const query = {
      'metadata.a': '1',
      'metadata[b.c]': '2',
      metadata: '3',
      metadatax: '4',
      'a.metadata.b': '5',
    };
    expect(collectMetadataParameters(query)).toEqual({ a: '1', 'b.c': '2' });
    expect(collectMetadataParameters({ output_type: 'txt' })).toBeUndefined();
  });

  it('is invalid if a key is given in both spellings', () => {
    const metadata = collectMetadataParameters({ 'metadata.a': '1', 'metadata[a]': '2', 'metadata.b': '3' });
    expect(metadata).toEqual({ a: ['1', '2'], b: '3' });
    expect(findMetadataErrors(metadata)).toEqual([
      { field: 'metadata.a', message: 'must be a string, given once' },
    ]);
    expect(collectMetadataParameters({ 'metadata.a': ['1', '2'], 'metadata[a]': '3' })).toEqual({
      a: ['1', '2', '3'],
    });
  });

  it('may have a key with the name of a property of all objects', () => {
    expect(collectMetadataParameters({ 'metadata.constructor': '1' })).toEqual({ constructor: '1' });
  });
});
