import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import { parsePromptIfTermList, parseTranscriptionParams } from './parse-transcription-params.js';

const parse = async (fields: Record<string, string | string[]>) =>
  parseTranscriptionParams(
    new Map(Object.entries({ model: 'whisper-1', ...fields }).map(([name, value]) => [name, [value].flat()])),
  );

async function invalidField(fields: Record<string, string | string[]>): Promise<string | undefined> {
  const error: unknown = await parse(fields).catch((thrown: unknown) => thrown);
  return error instanceof ServiceError && error.code === 'validation_failed'
    ? error.errors?.[0]?.field
    : undefined;
}

describe('parseTranscriptionParams', () => {
  it('needs only the model', async () => {
    const { options, ...params } = await parse({});
    expect(params).toEqual({ format: 'json', granularities: ['segment'], stream: false });
    expect(options).toMatchObject({ output_type: 'json', speaker_labels: false });
    expect(options.nltk).toBeUndefined();
    expect(options.custom_vocabulary).toBeUndefined();
  });

  it.each(['zephyr', 'gpt-4o-transcribe', 'org/some model:latest'])('accepts the model %s', async (model) => {
    expect((await parse({ model })).format).toBe('json');
  });

  it('parses the fields of the OpenAI interface', async () => {
    const params = await parse({
      response_format: 'verbose_json',
      'timestamp_granularities[]': ['word', 'segment'],
      stream: 'False',
      prompt: 'Zephyr, BullMQ',
    });
    expect(params).toMatchObject({
      format: 'verbose_json',
      granularities: ['word', 'segment'],
      stream: false,
    });
    expect(params.options.custom_vocabulary).toEqual(['Zephyr', 'BullMQ']);
    expect((await parse({ timestamp_granularities: 'word' })).granularities).toEqual(['word']);
  });

  it('a number of speakers asks for their labels', async () => {
    expect((await parse({ num_speakers: '2' })).options).toMatchObject({
      num_speakers: 2,
      speaker_labels: true,
    });
    await expect(parse({ max_speakers: '2', speaker_labels: 'false' })).rejects.toMatchObject({
      errors: [{ field: 'max_speakers' }],
    });
  });

  it('parses the options of this service', async () => {
    const parameters = {
      speaker_labels: 'true',
      nltk: 'false',
      multichannel: 'true',
      custom_vocabulary: 'one, two',
      prompt: 'three',
    };
    expect((await parse(parameters)).options).toMatchObject({
      speaker_labels: true,
      nltk: false,
      multichannel: true,
      custom_vocabulary: ['one', 'two'],
    });
  });

  it('enables speaker_labels for diarized_json', async () => {
    expect((await parse({ response_format: 'diarized_json' })).options.speaker_labels).toBe(true);
  });

  it('ignores unknown and empty fields', async () => {
    const params = await parse({
      language: 'xx',
      temperature: 'warm',
      'include[]': ['logprobs', 'more'],
      'chunking_strategy[type]': 'server_vad',
      response_format: '',
      stream: '',
      prompt: `A story. It is long. ${'x'.repeat(200)}`,
    });
    expect(params).toMatchObject({ format: 'json', stream: false });
    expect(params.options.custom_vocabulary).toBeUndefined();
  });

  it('drops prompt items that are not valid terms', async () => {
    const prompt = [
      'fine',
      'x'.repeat(101),
      'a\u0007b',
      ...Array.from({ length: 1_500 }, (_, index) => `t${index}`),
    ];
    const { custom_vocabulary } = (await parse({ prompt: prompt.join(',') })).options;
    expect(custom_vocabulary?.slice(0, 2)).toEqual(['fine', 't0']);
    expect(custom_vocabulary).toHaveLength(1_000);
  });

  it.each([
    ['model', ''],
    ['model', 'x'.repeat(201)],
    ['model', ['a', 'b']],
    ['response_format', 'docx'],
    ['response_format', ['json', 'json']],
    ['stream', 'yes'],
    ['speaker_labels', 'yes'],
    ['nltk', '1'],
    ['multichannel', 'both'],
    ['custom_vocabulary', 'x'.repeat(101)],
  ])('names the field %s when its value is %j', async (name, value) => {
    expect(await invalidField({ [name]: value })).toBe(name);
  });

  it('ignores empty granularities', async () => {
    expect((await parse({ 'timestamp_granularities[]': '' })).granularities).toEqual(['segment']);
    expect((await parse({ 'timestamp_granularities[]': ['', 'word'] })).granularities).toEqual(['word']);
  });

  it('names the field timestamp_granularities without its brackets', async () => {
    expect(await invalidField({ 'timestamp_granularities[]': 'letter' })).toBe('timestamp_granularities');
  });

  it.each(['srt', 'vtt', 'verbose_json', 'diarized_json'])(
    'rejects stream with the format %s',
    async (response_format) => {
      expect(await invalidField({ response_format, stream: 'true' })).toBe('stream');
    },
  );
});

describe('parsePromptIfTermList', () => {
  it.each([
    ['Kubernetes', ['Kubernetes']],
    ['ZyntriQix, Digique Plus,  CynapseFive.', ['ZyntriQix', 'Digique Plus', 'CynapseFive']],
    ['Node.js\nBullMQ\r\n\r\nPostgres', ['Node.js', 'BullMQ', 'Postgres']],
    ['東京タワー, 大阪', ['東京タワー', '大阪']],
  ])('returns the terms of the list %j', (prompt, terms) => {
    expect(parsePromptIfTermList(prompt)).toEqual(terms);
  });

  it.each([
    'This is the second part of a talk about birds.',
    'Hello. And welcome, all!',
    'Umm, let me think like, hmm... Okay, here is what I am, like, thinking.',
    ' , ,\n',
    '.',
    '',
  ])('returns null for the running text %j', (prompt) => {
    expect(parsePromptIfTermList(prompt)).toBeNull();
  });
});
