import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { optionsOfQuery } from './transcribe-query.js';

const given = async (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(await optionsOfQuery(query)).filter(([, value]) => value !== undefined));

async function refusedField(query: Record<string, unknown>): Promise<string | undefined> {
  const error: unknown = await optionsOfQuery(query).catch((thrown: unknown) => thrown);
  return error instanceof ServiceError && error.status === 422 ? error.errors?.[0]?.field : undefined;
}

describe('optionsOfQuery', () => {
  it('gives nothing of an empty query, so that the defaults apply', async () => {
    expect(await given({})).toEqual({});
  });

  it('reads every option', async () => {
    expect(
      await given({
        model: 'zephyr',
        output_type: 'srt',
        word_timestamps: 'false',
        speaker_labels: 'true',
        diarize: 'true',
        nltk: 'false',
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
      tier: 'standard',
      custom_vocabulary: ['zephyr', 'Mistral'],
      callback_url: 'https://example.com/hook?a=b',
    });
  });

  it.each([
    ['', []],
    [' , ,', []],
    ['two words,,  three little words ', ['two words', 'three little words']],
  ])('takes the vocabulary %j for %j', async (text, terms) => {
    expect(await given({ custom_vocabulary: text })).toEqual({ custom_vocabulary: terms });
  });

  it('ignores what is no option', async () => {
    expect(await given({ language: 'en', constructor: 'x' })).toEqual({});
  });

  it.each([
    ['word_timestamps', '1'],
    ['speaker_labels', 'TRUE'],
    ['diarize', ''],
    ['nltk', ['true', 'true']],
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
  ])('names %s when it is %j', async (name, value) => {
    expect(await refusedField({ [name]: value })).toBe(name);
  });
});
