import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, silentWav } from './support/audio.js';
import { listStoredFiles } from './support/data-dir.js';
import { measurePeakMemoryIncrease } from './support/measure-memory.js';
import { waitForResponse, readErrorResponse } from './support/streamed-transcription.js';
import {
  CLOSING_BOUNDARY,
  expectOpenAiError,
  catchApiError,
  formField,
  fileFieldHeader,
  createOpenAiClient,
  startForm,
  sendForm,
  toWavFile,
} from './support/openai.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const MIB = 2 ** 20;
const LIMIT = 155 * MIB;

let service: Service;
let openai: OpenAI;
let key: string;
let file: File;
/** A client of an account without a job. */
let unused: Awaited<ReturnType<typeof newCaller>>;

beforeAll(async () => {
  service = await Service.start({ MAX_AUDIO_BODY_BYTES: String(LIMIT), RATE_LIMIT_FACTOR: '1' });
  [openai, key] = [await createOpenAiClient(service), await service.apiKey()];
  file = await toWavFile(silentWav(1));
  unused = await newCaller(10);
});
afterAll(() => service?.stop());

const create = (params: object = {}, caller = openai) =>
  caller.audio.transcriptions.create({ file, model: 'whisper-1', ...params });

const listStored = () => listStoredFiles(service.dataDir);

async function newCaller(credits: number) {
  const { account_id, api_key } = await service.openAccount(credits);
  return {
    account_id,
    openai: await createOpenAiClient(service, api_key),
    client: await service.client(api_key),
    api_key,
  };
}

describe('raw forms to POST /v1/audio/transcriptions', () => {
  const form = (...chunks: string[]) => sendForm(service, key, chunks);
  const model = formField('model', 'x');

  // Runs before any test that sends much data: memory that the process already has would hide the increase.
  it('with a file of 150 MiB do not grow the memory of the API', async () => {
    const chunk = Buffer.alloc(MIB);
    const increase = await measurePeakMemoryIncrease(await service.pidOf('api'), async () => {
      const request = startForm(service, key);
      const pendingResponse = readErrorResponse(request);
      request.write(fileFieldHeader());
      for (let count = 0; count < 150; count += 1)
        await new Promise((resolve) => request.write(chunk, resolve));
      request.end(`\r\n${model}${CLOSING_BOUNDARY}`);
      expectOpenAiError(await pendingResponse, 400, 'unprocessable_audio', 'file');
    });
    console.log(
      `a form of 150 MiB raised the resident memory of the API by ${(increase / MIB).toFixed(0)} MiB`,
    );
    expect(increase).toBeLessThan(64 * MIB);
  });

  it.each([
    ['no file', [model, CLOSING_BOUNDARY], 'file'],
    ['no model', [fileFieldHeader(), 'x\r\n', CLOSING_BOUNDARY], 'model'],
    ['an empty file', [fileFieldHeader(), '\r\n', model, CLOSING_BOUNDARY], 'file'],
    ['two files', [fileFieldHeader(), 'x\r\n', fileFieldHeader(), 'y\r\n', model, CLOSING_BOUNDARY], 'file'],
    ['a file of another name', [fileFieldHeader('audio'), 'x\r\n', model, CLOSING_BOUNDARY], 'audio'],
    ['no end', [model, fileFieldHeader(), 'x\r\n'], 'form'],
    ['nothing', [], 'form'],
    ['no parts', ['hello'], 'form'],
  ])('with %s answer 400', async (_, chunks, param) => {
    expectOpenAiError(await form(...chunks), 400, 'validation_failed', param);
  });

  it.each(['application/json', 'multipart/form-data', 'audio/wav'])(
    'with the Content-Type %s answer 400',
    async (type) => {
      const request = startForm(service, key, { 'Content-Type': type });
      const pendingResponse = readErrorResponse(request);
      request.end('{}');
      expectOpenAiError(await pendingResponse, 400, 'validation_failed', 'Content-Type');
    },
  );

  it('with a Content-Length over the limit answer 413 before the body is read', async () => {
    const request = startForm(service, key, { 'Content-Length': String(LIMIT + 2 * MIB) });
    const pendingResponse = readErrorResponse(request);
    request.flushHeaders();
    expectOpenAiError(await pendingResponse, 413, 'file_too_large');
  });

  it('with a file over the limit answer 413 and create no job or file', async () => {
    // The audio of the failed job remains for the length of a lease.
    const before = new Set(await listStored());
    const request = startForm(service, unused.api_key);
    const pendingResponse = readErrorResponse(request);
    request.write(fileFieldHeader());
    const chunk = Buffer.alloc(MIB);
    const writeNext = (): void =>
      void (request.writable && request.write(chunk, () => setImmediate(writeNext)));
    writeNext();
    expectOpenAiError(await pendingResponse, 413, 'file_too_large', 'file');
    expect(await unused.client.listJobIds()).toEqual([]);
    await until('its bytes are deleted', async () => (await listStored()).every((path) => before.has(path)));
  });

  it('of a client that disconnects create no job, and their files are deleted', async () => {
    const before = new Set(await listStored());
    const request = startForm(service, unused.api_key);
    const pendingResponse = waitForResponse(request);
    request.write(fileFieldHeader());
    request.write(Buffer.alloc(3 * MIB));
    await until('bytes arrive', async () => (await listStored()).some((path) => !before.has(path)));
    request.destroy();
    await expect(pendingResponse).rejects.toThrow();
    await until('the files are deleted', async () => (await listStored()).every((path) => before.has(path)));
    expect(await unused.client.listJobIds()).toEqual([]);
  });
});

describe('API keys on /v1', () => {
  it('an invalid key raises AuthenticationError', async () => {
    const error = await catchApiError(create({}, await createOpenAiClient(service, 'sk-wrong')));
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', requestID: expect.any(String) });
  });

  it('a revoked key answers 401 before and during a request, and the job continues', async () => {
    const { account_id, client } = await newCaller(100);
    const added = await service.createKey(account_id);
    const revoked = await createOpenAiClient(service, added.api_key);
    const job = await service.whileStopped('processor', async () => {
      const pendingError = catchApiError(create({}, revoked));
      await until('there is a job', async () => (await client.listJobIds()).length === 1);
      await service.adminJson('keys', 'revoke', added.key_id, '--json');
      const [jobId = ''] = await client.listJobIds();
      expect(await pendingError).toMatchObject({ status: 401, message: expect.stringContaining(jobId) });
      return jobId;
    });
    expect(await catchApiError(create({}, revoked))).toBeInstanceOf(OpenAI.AuthenticationError);
    await until('it has completed', async () => (await client.job(job)).status === 'completed');
  });

  it('a key is accepted in X-API-Key everywhere and as a bearer token only below /v1', async () => {
    const requestStatus = (path: string, headers: Record<string, string>) =>
      fetch(`${service.baseUrl}${path}`, { headers }).then(({ status }) => status);
    const bearer = { Authorization: `Bearer ${key}` };
    expect(await requestStatus('/v1/models', bearer)).toBe(200);
    expect(await requestStatus('/v1/models', { Authorization: `bearer  ${key} ` })).toBe(200);
    expect(await requestStatus('/v1/models', { 'X-API-Key': key })).toBe(200);
    expect(await requestStatus('/v1/models', { ...bearer, 'X-API-Key': 'wrong' })).toBe(401);
    expect(await requestStatus('/v1/models', { Authorization: key })).toBe(401);
    expect(await requestStatus('/v1/models', { Authorization: `Basic ${key}` })).toBe(401);
    expect(await requestStatus('/v1/models', {})).toBe(401);
    expect(await requestStatus('/api/v1/jobs', bearer)).toBe(401);
  });
});

describe('errors that OpenAI’s clients receive', () => {
  it.each([
    ['response_format', 'docx'],
    ['timestamp_granularities', ['letter']],
    ['model', ''],
    ['stream', 'sometimes'],
    ['speaker_labels', 'yes'],
  ])('%s %j raises BadRequestError naming the field and creates no job or file', async (name, value) => {
    // The audio of a job that has just ended may still be stored.
    const before = new Set(await listStored());
    const error = await catchApiError(create({ [name]: value }, unused.openai));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ type: 'invalid_request_error', param: name });
    const newFiles = (await listStored()).filter((path) => !before.has(path));
    expect([await unused.client.listJobIds(), newFiles]).toEqual([[], []]);
  });

  it('invalid audio raises BadRequestError with the reason', async () => {
    const error = await catchApiError(create({ file: await toWavFile(new Uint8Array(9_000) as Bytes) }));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ code: 'unprocessable_audio', param: 'file', message: /decoded/ });
  });

  it.each([
    ['none at all', 0, 1],
    ['too little for the length', 1, 3],
  ])(
    'insufficient credits (%s) raise RateLimitError insufficient_quota without a retry',
    async (_, credits, seconds) => {
      const caller = await newCaller(credits);
      const error = await catchApiError(create({ file: await toWavFile(silentWav(seconds)) }, caller.openai));
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' });
      expect(await caller.client.listJobIds()).toHaveLength(credits);
    },
  );

  it('a cancelled job raises ConflictError without a retry', async () => {
    const { client, openai: caller } = await newCaller(100);
    await service.whileStopped('processor', async () => {
      const pendingError = catchApiError(create({}, caller));
      await until('there is a job', async () => (await client.listJobIds()).length === 1);
      const [job_id] = await client.listJobIds();
      await client.post('/jobs/cancel', { job_id });
      const error = await pendingError;
      expect(error).toBeInstanceOf(OpenAI.ConflictError);
      expect(error).toMatchObject({ code: 'job_cancelled' });
      expect(await client.listJobIds()).toEqual([job_id]);
    });
  });

  it('too many requests, counted together with POST /transcribe, raise RateLimitError', async () => {
    const { openai: caller, client, api_key } = await newCaller(100);
    const id = api_key.split('_')[1] ?? '';
    await service.query('UPDATE api_key SET rate_limits = $2 WHERE id = $1', [id, { transcribe: 2 }]);
    await client.send('POST', '/api/v1/transcribe?nltk=1');
    await create({}, caller);
    const error = await catchApiError(create({}, caller.withOptions({ maxRetries: 0 })));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ type: 'requests', code: 'rate_limit_exceeded' });
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
    expect(error.headers?.get('ratelimit-limit')).toBe('2');
  });

  it.each([
    ['POST', '/v1/audio/translations'],
    ['POST', '/v1/chat/completions'],
    ['GET', '/v1'],
    ['GET', '/v1/%E0%A4%A'],
  ])('an unknown route (%s %s) answers 404', async (method, path) => {
    const client = await service.client();
    expectOpenAiError(await client.send(method, path), 404, 'unknown_url');
  });

  it('GET /v1/audio/transcriptions answers 405 with Allow', async () => {
    const response = await (await service.client()).send('GET', '/v1/audio/transcriptions');
    expectOpenAiError(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('OPTIONS, POST');
  });
});
