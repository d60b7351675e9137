import { describe, expect, it } from 'vitest';
import {
  mergeTermsWithinVocabularyLimit,
  MAX_VOCABULARY_TERMS,
  normalizeAndValidateVocabulary,
} from './vocabulary-limits.js';

const numbered = (count: number, prefix = 't') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('normalizeAndValidateVocabulary', () => {
  it('drops blanks at the ends and repeated terms', () => {
    expect(normalizeAndValidateVocabulary({ name: ' People ', terms: ['Ada ', 'Grüße', 'Ada'] })).toEqual({
      name: 'People',
      terms: ['Ada', 'Grüße'],
    });
  });

  it.each([
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(61) }],
    ['name', { name: 'a\nb' }],
    ['name', { name: '\ud800' }],
    ['terms', { terms: [] }],
    ['terms', { terms: ['fine', ' '] }],
    ['terms', { terms: ['x'.repeat(101)] }],
    ['terms', { terms: ['a\u0000'] }],
    ['terms', { terms: numbered(MAX_VOCABULARY_TERMS + 1) }],
  ])('names %s, invalid in %j', (field, change) => {
    expect(() => normalizeAndValidateVocabulary({ name: 'People', terms: ['Ada'], ...change })).toThrow(
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ field })] }),
    );
  });
});

describe('mergeTermsWithinVocabularyLimit', () => {
  it('has the terms of both once, those of the request first', () => {
    expect(mergeTermsWithinVocabularyLimit(['b', 'a'], ['a', 'c'])).toEqual(['b', 'a', 'c']);
  });

  it('refuses more terms than a job can have', () => {
    expect(mergeTermsWithinVocabularyLimit(numbered(600), numbered(MAX_VOCABULARY_TERMS))).toHaveLength(
      MAX_VOCABULARY_TERMS,
    );
    expect(() => mergeTermsWithinVocabularyLimit(numbered(1, 'x'), numbered(MAX_VOCABULARY_TERMS))).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'vocabulary' })] }),
    );
  });
});
