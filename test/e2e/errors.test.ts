import type { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { silentWav } from './support/audio.js';
import type { ApiResponse, Client } from './support/client.js';
import { rewriteTranscript } from './support/rewrite-transcript.js';
import { completeMultipart, createMultipart, putPart } from './support/multipart.js';
import { expectConcurrencyInUse } from './support/concurrency-limits.js';
import { expectProblem } from './support/problem.js';
import { openSocket, sendRaw, readResponse } from './support/raw-http.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

/** Every error code of the interface is caused over HTTP; the last test compares the codes with the document. */

const LIMIT = 100_000;
const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const INVALID_AUDIO = new TextEncoder().encode('This is not a recording. '.repeat(100));
const MIB = 2 ** 20;
/** Of two jobs they are more than the quota. */
const TERMS = { custom_vocabulary: Array.from({ length: 16 }, (_, at) => `${at}`.padEnd(90, 'x')) };

let service: Service;
let client: Client;
let other: Client;
/** A connection that never sends all of its headers, and its response after a minute. */
let slow: Socket;
let timedOutResponse: Promise<ApiResponse>;
/** An upload whose signed URL expires while the other tests run. */
let expiringUpload: { upload_url: string; content_type: string };
/** Jobs by outcome. */
const jobs: Record<'completed' | 'failed' | 'cancelled' | 'open', string> = {
  completed: '',
  failed: '',
  cancelled: '',
  open: '',
};

beforeAll(async () => {
  service = await Service.start({
    ...inject('engineSettings'),
    MAX_UPLOAD_BYTES: String(LIMIT),
    MAX_MULTIPART_BYTES: String(LIMIT),
    MAX_AUDIO_BODY_BYTES: String(LIMIT),
    UPLOAD_URL_SECONDS: '20',
    MAX_CONCURRENT_JSON_BYTES: '4000',
    MAX_CONCURRENT_JSON_BYTES_PER_ACCOUNT: '3000',
    MAX_VOCABULARY_BYTES_PER_ACCOUNT: '2000',
    ...{ LEASE_SECONDS: '3', SWEEP_SECONDS: '1' },
  });
  client = await service.client();
  slow = openSocket(client).on('error', () => undefined);
  slow.write('GET /api/v1/jobs HTTP/1.1\r\nHost: x\r\n');
  timedOutResponse = readResponse(slow, false, 120_000);
  timedOutResponse.catch(() => undefined);
  other = await service.client((await service.openAccount(100)).api_key);
  expiringUpload = await client.create({ file_size: 1 });
  const waitForEnd = async (id: string) => (await client.events(id)).at(-1);
  jobs.completed = (await client.submit(silentWav(1))).job_id;
  jobs.failed = (await client.submit(INVALID_AUDIO)).job_id;
  jobs.open = (await createMultipart(client, { file_size: 1 })).job_id;
  jobs.cancelled = (await client.create({ file_size: 1 })).job_id;
  await client.post('/jobs/cancel', { job_id: jobs.cancelled });
  for (const id of [jobs.completed, jobs.failed, jobs.cancelled]) await waitForEnd(id);
});
afterAll(async () => {
  slow?.destroy();
  await service?.stop();
});

const get = (path: string, caller = client) => caller.send('GET', `/api/v1${path}`);
const getTranscript = (id: string, query = '') => get(`/jobs/${id}/transcript${query}`);
const put = (url: string, type: string, body: Uint8Array<ArrayBuffer> = silentWav(1)) =>
  client.put(url, body, type);
const createUpload = () => client.create({ file_size: silentWav(1).length });
const downloadUrl = async () => (await client.job(jobs.completed)).download_url ?? '';

/** Runs `action` while an incomplete request body uses the limit on concurrent requests. */
async function withPartialBody<T>(request: string, headers: string[], action: () => Promise<T>): Promise<T> {
  const socket = openSocket(client).on('error', () => undefined);
  const lines = [`${request} HTTP/1.1`, 'Host: x', `X-API-Key: ${client.apiKey}`, ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
  try {
    return await action();
  } finally {
    socket.destroy();
  }
}
/** Retries until a response has this status, because a request that causes it is still in progress. */
const retryUntilStatus = (status: number, send: () => Promise<ApiResponse>) =>
  until(`the response has the status ${status}`, async () => {
    const response = await send();
    return response.status === status ? response : undefined;
  });
const PARTIAL_JSON = ['Content-Type: application/json', 'Content-Length: 2500'];
const sendBlankJson = (caller: Client, length: number) =>
  caller.send('POST', '/api/v1/upload/complete', { body: ' '.repeat(length), headers: JSON_TYPE });

/** Changes stored documents in the file store, because HTTP cannot damage them. */
async function createCompletedJob(): Promise<string> {
  const { job_id } = await client.submit(silentWav(1), { output_type: 'txt' });
  expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
  return job_id;
}

const REQUESTS_BY_CODE: Record<string, () => Promise<ApiResponse>> = {
  malformed_request: () => sendRaw(client, { path: '/api/v1/jobs', headers: [['Bad Name', 'x']] }),
  invalid_parameter: () => get('/jobs?limit=0'),
  upload_incomplete: async () => client.complete((await createUpload()).job_id),
  upload_too_large: async () => {
    const created = await createMultipart(client, { file_size: 1 });
    const part = await putPart(client, created, 1, new Uint8Array(LIMIT + 1));
    return completeMultipart(client, created.job_id, [part]);
  },
  upload_type_mismatch: () => client.complete(jobs.open),
  invalid_parts: () => completeMultipart(client, jobs.open, [{ part_number: 1, etag: 'x' }]),
  transcript_not_ready: () => getTranscript(jobs.open),
  job_failed: () => getTranscript(jobs.failed),
  job_cancelled: () => getTranscript(jobs.cancelled),
  transcript_deleted: async () => {
    const id = await createCompletedJob();
    const database = new pg.Client(await service.databaseUrl());
    await database.connect();
    // The state that the retention sweep leaves.
    await database.query('UPDATE job SET result_key = NULL WHERE id = $1', [id]);
    await database.end();
    return getTranscript(id);
  },
  transcript_too_large: async () => {
    const id = await createCompletedJob();
    const record = /"key":"transcripts\/[^"]*\.json"/;
    await rewriteTranscript(
      service.dataDir,
      id,
      (text) => text.replace(/"size":\d+/, `"size":${33 * MIB}`),
      record,
    );
    return getTranscript(id, '?format=srt');
  },
  invalid_api_key: () => client.send('GET', '/api/v1/jobs', { headers: { 'X-API-Key': 'none' } }),
  quota_exceeded: () => retryUntilStatus(429, () => other.post('/upload', { file_size: 1, ...TERMS })),
  insufficient_credits: async () => {
    const clientWithoutCredits = await service.client((await service.openAccount(0)).api_key);
    return clientWithoutCredits.post('/upload', { file_size: 1 });
  },
  signature_mismatch: async () => put(`${(await createUpload()).upload_url}x`, 'audio/wav'),
  url_expired: () => retryUntilStatus(403, () => put(expiringUpload.upload_url, expiringUpload.content_type)),
  content_type_mismatch: async () => put((await createUpload()).upload_url, 'audio/wav'),
  upload_closed: async () => {
    const { job_id, upload_url, content_type } = await createUpload();
    await client.post('/jobs/cancel', { job_id });
    return put(upload_url, content_type);
  },
  not_found: () => get('/nothing'),
  job_not_found: () => get(`/jobs/${UNKNOWN}`),
  object_not_found: async () => client.download((await createUpload()).download_url),
  method_not_allowed: () => client.send('DELETE', '/api/v1/upload/complete'),
  idempotency_key_in_use: () => {
    const key = 'a-key-in-use';
    const headers = [`Idempotency-Key: ${key}`, 'Content-Type: audio/wav', 'Content-Length: 1000'];
    return withPartialBody('POST /api/v1/transcribe', headers, async () => {
      // The first request holds the key.
      await expectConcurrencyInUse(client, 'bodies', 1);
      return retryUntilStatus(409, () =>
        client.send('POST', '/api/v1/transcribe', {
          headers: { 'Idempotency-Key': key, 'Content-Type': 'audio/wav' },
          body: 'x',
        }),
      );
    });
  },
  idempotency_key_reused: async () => {
    const create = (size: number) =>
      client.send('POST', '/api/v1/upload', {
        headers: { ...JSON_TYPE, 'Idempotency-Key': 'a-key-twice' },
        body: JSON.stringify({ file_size: size }),
      });
    await create(1);
    return create(2);
  },
  file_too_large: () => client.post('/upload', { file_size: LIMIT + 1 }),
  range_not_satisfiable: async () => {
    const response = await fetch(await downloadUrl(), { headers: { Range: 'bytes=9999999-' } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  },
  validation_failed: () => client.post('/upload', {}),
  rate_limit_exceeded: async () => {
    const keyId = other.apiKey?.split('_')[1] ?? '';
    await service.admin('keys', 'limit', keyId, '--route', 'jobs.list', '--per-minute', '1');
    await get('/jobs', other);
    return retryUntilStatus(429, () => get('/jobs', other));
  },
  concurrency_limit_exceeded: () =>
    withPartialBody('POST /api/v1/upload/complete', PARTIAL_JSON, () =>
      retryUntilStatus(429, () => sendBlankJson(client, 1_000)),
    ),
  service_unavailable: () =>
    withPartialBody('POST /api/v1/upload/complete', PARTIAL_JSON, () =>
      retryUntilStatus(503, () => sendBlankJson(other, 2_000)),
    ),
  headers_too_large: () =>
    sendRaw(client, { path: '/api/v1/jobs', headers: [['X-Padding', 'a'.repeat(100_000)]] }),
  internal_error: async () => {
    const id = await createCompletedJob();
    await rewriteTranscript(service.dataDir, id, (text) => text.replaceAll('"', "'"), /"schema_version"/);
    return getTranscript(id, '?format=srt');
  },
  request_timeout: () => timedOutResponse,
};

/** The codes in the OpenAPI document. */
async function documentedCodes(): Promise<string[]> {
  const { components } = JSON.parse((await get('/openapi.json')).text) as {
    components: { schemas: Record<string, { properties: { code: { enum: string[] } } }> };
  };
  return components.schemas['Problem']?.properties.code.enum ?? [];
}

describe('every error code', () => {
  it.each(Object.entries(REQUESTS_BY_CODE))(
    '%s is returned over HTTP',
    async (code, sendRequest) => {
      const response = await sendRequest();
      const problem = expectProblem(response, response.status, code);
      expect(problem.detail).toMatch(/\w/);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      if ([409, 429, 503].includes(response.status))
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    },
    130_000,
  );

  it('of the OpenAPI document is tested, and every tested code is in the document', async () => {
    expect(Object.keys(REQUESTS_BY_CODE).toSorted()).toEqual((await documentedCodes()).toSorted());
  });

  it('of the OpenAPI document is explained in the reference', async () => {
    const { text } = await client.send('GET', '/docs/openapi.json');
    const { info } = JSON.parse(text) as { info: { description: string } };
    const list = info.description.split('### Error codes\n')[1] ?? '';
    for (const code of await documentedCodes()) expect(list).toContain(`\`${code}\``);
  });
});

describe('error codes below /v1', () => {
  const statusAndCode = async (response: ApiResponse) => {
    const { error } = JSON.parse(response.text) as { error: { code: string; type: string } };
    return [response.status, error.code];
  };
  const transcribe = async (bytes: Uint8Array<ArrayBuffer>, caller = client) => {
    const body = new FormData();
    body.set('file', new Blob([bytes]), 'speech.wav');
    body.set('model', 'zephyr');
    return caller.send('POST', '/v1/audio/transcriptions', { body });
  };

  it('model_not_found and unprocessable_audio are answered only here', async () => {
    expect(await statusAndCode(await client.send('GET', '/v1/models/nothing'))).toEqual([
      404,
      'model_not_found',
    ]);
    expect(await statusAndCode(await transcribe(INVALID_AUDIO))).toEqual([400, 'unprocessable_audio']);
  });

  it('an unknown path or method answers an OpenAI error', async () => {
    expect(await statusAndCode(await client.send('GET', '/v1/nothing'))).toEqual([404, 'unknown_url']);
    const response = await client.send('GET', '/v1/audio/transcriptions');
    expect(await statusAndCode(response)).toEqual([405, 'method_not_allowed']);
    expect(response.headers.get('allow')).toBe('OPTIONS, POST');
  });
});
