import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { parseJobOptionStrings } from './parse-job-option-strings.js';

const parse = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(parseJobOptionStrings(query)).filter(([, value]) => value !== undefined));

function invalidField(query: Record<string, unknown>): string | undefined {
  try {
    parseJobOptionStrings(query);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 422) return error.errors?.[0]?.field;
  }
  return undefined;
}

describe('parseJobOptionStrings', () => {
  it('returns no options for an empty query', () => {
    expect(parse({})).toEqual({});
  });

  it('parses every option', () => {
    expect(
      parse({
        model: 'zephyr',
        output_type: 'srt',
        word_timestamps: 'false',
        speaker_labels: 'true',
        diarize: 'true',
        nltk: 'false',
        filler_words: 'false',
        redact: 'email, phone',
        multichannel: 'true',
        tier: 'standard',
        custom_vocabulary: 'zephyr, Mistral',
        callback_url: 'https://example.com/hook?a=b',
      }),
    ).toEqual({
      model: 'zephyr',
      output_type: 'srt',
      word_timestamps: false,
      speaker_labels: true,
      diarize: true,
      nltk: false,
      filler_words: false,
      redact: ['email', 'phone'],
      multichannel: true,
      tier: 'standard',
      custom_vocabulary: ['zephyr', 'Mistral'],
      callback_url: 'https://example.com/hook?a=b',
    });
  });

  it.each([
    ['auto', 'auto'],
    ['false', false],
  ])('parses multichannel %j as %j', (text, mode) => {
    expect(parse({ multichannel: text })).toEqual({ multichannel: mode });
  });

  it('parses numbers of speakers', () => {
    expect(parse({ min_speakers: '2', max_speakers: '10' })).toEqual({ min_speakers: 2, max_speakers: 10 });
    expect(parse({ num_speakers: '3' })).toEqual({ num_speakers: 3 });
  });

  it.each([
    [{ num_speakers: '0' }, 'num_speakers'],
    [{ num_speakers: '2.5' }, 'num_speakers'],
    [{ num_speakers: '' }, 'num_speakers'],
    [{ min_speakers: '101' }, 'min_speakers'],
    [{ max_speakers: 'many' }, 'max_speakers'],
    [{ min_speakers: '3', max_speakers: '2' }, 'max_speakers'],
    [{ num_speakers: '2', min_speakers: '3' }, 'min_speakers'],
    [{ num_speakers: '4', max_speakers: '3' }, 'max_speakers'],
    [{ num_speakers: '2', speaker_labels: 'false' }, 'num_speakers'],
    [{ max_speakers: '2', diarize: 'false' }, 'max_speakers'],
  ])('rejects the number of speakers in %j', (query, field) => {
    expect(invalidField(query)).toBe(field);
  });

  it.each([
    ['', []],
    [' , ,', []],
    ['two words,,  three little words ', ['two words', 'three little words']],
  ])('parses the vocabulary %j as %j', (text, terms) => {
    expect(parse({ custom_vocabulary: text })).toEqual({ custom_vocabulary: terms });
  });

  it.each(['output_type', 'word_timestamps', 'num_speakers'])('rejects %s that is given twice', (name) => {
    expect(() => parse({ [name]: ['1', '2'] })).toThrow(`${name}: must be given once`);
  });

  it('ignores unknown parameters', () => {
    expect(parse({ language: 'en', constructor: 'x' })).toEqual({});
  });

  it.each([
    ['word_timestamps', '1'],
    ['speaker_labels', 'TRUE'],
    ['diarize', ''],
    ['nltk', ['true', 'true']],
    ['multichannel', 'yes'],
    ['model', 'other'],
    ['output_type', 'doc'],
    ['output_type', ['json', 'txt']],
    ['tier', ''],
    ['callback_url', 'ftp://example.com'],
    ['callback_url', ''],
    ['custom_vocabulary', ['a', 'b']],
    ['custom_vocabulary', 'a,b\u0000'],
    ['custom_vocabulary', 'x'.repeat(101)],
    ['custom_vocabulary', 'x,'.repeat(1_001)],
  ])('names the parameter %s when its value is %j', (name, value) => {
    expect(invalidField({ [name]: value })).toBe(name);
  });

  it.each([
    [{ redact: 'email,names' }, 'redact'],
    [{ redact: 'email,email' }, 'redact'],
    [{ redact: ['email', 'phone'] }, 'redact'],
    [{ filler_words: 'no' }, 'filler_words'],
  ])('rejects %j', (query, field) => {
    expect(invalidField(query)).toBe(field);
  });
});
