import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, type CreatedJob, expectStatus } from './support/client.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import type { Service } from './support/service.js';

const SIZE = { file_size: 1000 };
const NOT_STRINGS = [1, true, null, {}, []];
const NOT_BOOLEANS = ['true', 'false', '', 0, 1, null, {}, [true]];

export function describeOptions(getService: () => Service): void {
  let service: Service;
  let client: Client;

  beforeAll(async () => {
    service = getService();
    client = await service.client((await service.openAccount(100)).api_key);
  });

  const create = (body: unknown) => client.post('/upload', body);
  const invalidCases = (field: string, values: unknown[]) => values.map((value) => [field, value] as const);

  describe('§2 job options of POST /upload', () => {
    it.each([
      ...invalidCases('model', [...NOT_STRINGS, '', 'zephyr2', 'ZEPHYR', 'zephyr ']),
      ...invalidCases('output_type', [...NOT_STRINGS, '', 'xml', 'JSON', ['json']]),
      ...invalidCases('tier', [...NOT_STRINGS, '', 'premium', '__proto__']),
      ...invalidCases('word_timestamps', NOT_BOOLEANS),
      ...invalidCases('speaker_labels', NOT_BOOLEANS),
      ...invalidCases('diarize', NOT_BOOLEANS),
      ...invalidCases('nltk', NOT_BOOLEANS),
      ...invalidCases('multichannel', [null, 0, 1, 'true', 'false', '', 'AUTO', [], {}]),
      ...invalidCases('num_speakers', [0, -1, 1.5, 101, '2', true, [], {}]),
      ...invalidCases('min_speakers', [0, 1.5, 101, '2']),
      ...invalidCases('max_speakers', [0, 1.5, 101, '2']),
    ])('%s %j answers 422 and names the field', async (field, value) => {
      expectInvalidFields(await create({ ...SIZE, [field]: value }), field);
    });

    it.each([
      ['max_speakers', { min_speakers: 3, max_speakers: 2 }],
      ['min_speakers', { num_speakers: 2, min_speakers: 3 }],
      ['max_speakers', { num_speakers: 3, max_speakers: 2 }],
      ['num_speakers', { num_speakers: 2, speaker_labels: false }],
    ])('%s that contradicts other options answers 422: %j', async (field, options) => {
      const body = { ...SIZE, ...options };
      expectInvalidFields(await create(body), field);
      expectInvalidFields(await client.post('/upload/multipart/create', body), field);
    });

    it('a 422 names every invalid field, not only the first', async () => {
      const { errors } = expectProblem(await create({ file_size: 'x', model: 1, nltk: 'no' }), 422);
      expect(errors?.map(({ field }) => field).toSorted()).toEqual(['file_size', 'model', 'nltk']);
    });
  });

  describe('§2 vocabulary and URLs of POST /upload', () => {
    it.each([
      ...invalidCases('custom_vocabulary', [
        'term',
        1,
        true,
        {},
        [1],
        [null],
        [''],
        [['a']],
        ['ok', {}],
        { length: 1 },
      ]),
      ...invalidCases('custom_vocabulary', [
        ['nul\u0000'],
        ['\ud800'],
        ['\udfff alone'],
        ['line\nbreak'],
        ['x'.repeat(100_000)],
      ]),
      ...invalidCases('callback_url', [
        1,
        true,
        {},
        [],
        '',
        'not a URL',
        '/path',
        'ftp://example.org/',
        'javascript:alert(1)',
      ]),
      ...invalidCases('callback_url', [
        'http://',
        'http://127.0.0.1/',
        'http://[::1]/',
        'http://localhost/',
        'http://\ud800/',
      ]),
    ])('%s %j answers 422 and names the field', async (field, value) => {
      expectInvalidFields(await create({ ...SIZE, [field]: value }), field);
    });

    it('a long vocabulary is accepted, and one over the limits answers 422 and names the field', async () => {
      const terms = Array.from({ length: 1_000 }, (_, index) => `term ${index}`);
      expectStatus(200, await create({ ...SIZE, custom_vocabulary: terms }));
      expectInvalidFields(
        await create({ ...SIZE, custom_vocabulary: [...terms, 'one more'] }),
        'custom_vocabulary',
      );
      const huge = Array.from({ length: 30_000 }, () => 'x'.repeat(100));
      expectInvalidFields(await create({ ...SIZE, custom_vocabulary: huge }), 'body');
    });

    it.each([
      ...invalidCases('audio_url', [
        1,
        {},
        [],
        true,
        '',
        'nothing',
        'file:///etc/passwd',
        'ftp://example.org/a.wav',
      ]),
      ...invalidCases('audio_url', [
        'http://127.0.0.1/a.wav',
        'http://169.254.169.254/',
        'http://0x7f.1/',
        'http://[::1]/a',
      ]),
    ])('%s %j answers 422 and names the field', async (field, value) => {
      expectInvalidFields(await create({ [field]: value }), field);
    });
  });

  describe('§4.1 file_size of POST /upload', () => {
    it.each([0, -1, 1.5, '10', true, {}, [10]])('%j answers 422', async (file_size) => {
      expectInvalidFields(await create({ file_size }), 'file_size');
    });

    it.each([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, 1e30])(
      '%j answers 413 as every size above the limit',
      async (file_size) => {
        expectProblem(await create({ file_size }), 413, 'file_too_large');
      },
    );

    it('neither file_size nor audio_url, or both, answers 422', async () => {
      expectInvalidFields(await create({}), 'file_size');
      expectInvalidFields(await create({ file_size: null, audio_url: null }), 'file_size');
      expectInvalidFields(await create({ ...SIZE, audio_url: 'https://example.org/a.wav' }), 'audio_url');
    });
  });

  describe('§2 valid options of POST /upload', () => {
    const named = {
      model: 'zephyr',
      output_type: 'srt',
      word_timestamps: false,
      nltk: false,
      filler_words: false,
      num_speakers: 2,
      min_speakers: 2,
      max_speakers: 3,
      redact: ['email', 'phone', 'card', 'iban', 'ip', 'url', 'number'],
      tier: 'standard',
    };
    it.each([
      ['nothing but a size', {}],
      [
        'every option',
        { ...named, speaker_labels: true, custom_vocabulary: ['Zephyr', 'Grüße', '風'], callback_url: null },
      ],
      [
        'null where the table allows it',
        { custom_vocabulary: null, callback_url: null, audio_url: null, redact: null },
      ],
      ['an empty vocabulary', { custom_vocabulary: [] }],
      ['the alias beside its name, in agreement', { speaker_labels: false, diarize: false }],
      [
        'fields it does not know',
        { language: 'en', job_id: 'x', status: 'completed', account_id: 'y', __proto__x: {} },
      ],
    ])('%s answers 200', async (_, options) => {
      const { job_id } = expectStatus<CreatedJob>(200, await create({ ...SIZE, ...options }));
      expect((await client.job(job_id)).status).toBe('processing');
    });

    it('body fields that are no options never change the job', async () => {
      const callerJobId = '00000000-0000-7000-8000-000000000000';
      const { job_id } = expectStatus<CreatedJob>(
        200,
        await create({ ...SIZE, job_id: callerJobId, id: callerJobId }),
      );
      expect(job_id).not.toBe(callerJobId);
    });

    it('contradictory speaker_labels and diarize answer 422', async () => {
      expectInvalidFields(await create({ ...SIZE, speaker_labels: true, diarize: false }), 'diarize');
      expectInvalidFields(await create({ ...SIZE, speaker_labels: false, diarize: true }), 'diarize');
    });
  });

  describe('§7 malformed bodies', () => {
    const send = (body: string, type: string | undefined = 'application/json') =>
      client.send('POST', '/api/v1/upload', { body, headers: { 'Content-Type': type } });

    it.each([
      '',
      '{',
      'null',
      '[]',
      '[{"file_size": 1}]',
      '"text"',
      '1',
      'true',
      '{"file_size": 1,}',
      '{file_size: 1}',
    ])('%j answers 422', async (body) => {
      expectProblem(await send(body), 422, 'validation_failed');
    });

    it('property names of prototypes are ignored', async () => {
      expectProblem(await send('{"__proto__": {"file_size": 1}}'), 422);
      expectProblem(await send('{"constructor": {"prototype": {"file_size": 1}}}'), 422);
    });

    it.each([
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ])('Content-Type %s answers 422 and names the header', async (type) => {
      expectInvalidFields(await send('{"file_size": 1}', type), 'Content-Type');
    });

    it('a Content-Type with a charset is accepted', async () => {
      expectStatus(200, await send('{"file_size": 1}', 'application/json; charset=utf-8'));
    });

    it('a request without body and Content-Type answers 422', async () => {
      expectProblem(await client.send('POST', '/api/v1/upload'), 422, 'validation_failed');
    });
  });
}
