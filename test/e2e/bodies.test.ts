import { type ClientRequest, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, Client } from './support/client.js';
import { waitForResponse } from './support/streamed-transcription.js';
import { expectInvalidFields, expectProblem } from './support/problem.js';
import { readCpuTimeMs } from './support/processes.js';
import { Service } from './support/service.js';

const BODY_SECONDS = 2;
const MILLION = 1_000_000;
const UNKNOWN = '0193a5c0-0000-7000-8000-000000000000';

let service: Service;
let client: Client;

beforeAll(async () => {
  service = await Service.start({ JSON_BODY_SECONDS: String(BODY_SECONDS), RATE_LIMIT_FACTOR: '1' });
  client = await service.client();
});
afterAll(() => service?.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const INVALID_REQUESTS: [string, string, Record<string, string>][] = [
  ['is malformed', '{', JSON_TYPE],
  ['is empty', '', JSON_TYPE],
  ['is too large', `"${'x'.repeat(3_000_000)}"`, JSON_TYPE],
  ['has another content type', '{}', { 'Content-Type': 'text/plain' }],
  ['has an invalid content type', '{}', { 'Content-Type': ';' }],
];

const post = (caller: Client, path: string, body: string, headers: Record<string, string>) =>
  caller.send('POST', `/api/v1${path}`, { body, headers });

/** A request whose body the test writes piece by piece. */
function openRequest(caller: Client, path: string, headers: Record<string, string> = {}): ClientRequest {
  const key: Record<string, string> = caller.apiKey === null ? {} : { 'X-API-Key': caller.apiKey };
  return request(`${service.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { ...key, ...JSON_TYPE, ...headers },
  });
}

async function readResponse(clientRequest: ClientRequest): Promise<ApiResponse> {
  const response = await waitForResponse(clientRequest);
  clientRequest.removeAllListeners('error').on('error', () => undefined);
  const headers = new Headers(response.headers as Record<string, string>);
  return { status: response.statusCode ?? 0, headers, text: await text(response) };
}

describe('§5 the key is checked before the body', () => {
  it.each(INVALID_REQUESTS)('a body that %s answers 401 without a valid key', async (_, body, headers) => {
    for (const path of ['/upload', '/upload/complete', '/upload/multipart/create', '/jobs/check-failed'])
      for (const key of [null, 'zk_no'])
        expectProblem(
          await post(new Client(service.baseUrl, key), path, body, headers),
          401,
          'invalid_api_key',
        );
  });

  it.each(INVALID_REQUESTS)('a body that %s answers 422 with a valid key', async (_, body, headers) => {
    expectProblem(await post(client, '/upload/complete', body, headers), 422, 'validation_failed');
  });

  it('a request without a key is answered before its body arrives', async () => {
    const clientRequest = openRequest(new Client(service.baseUrl, null), '/upload', {
      'Content-Length': '1000',
    });
    const pendingResponse = readResponse(clientRequest);
    clientRequest.flushHeaders();
    expectProblem(await pendingResponse, 401, 'invalid_api_key');
    clientRequest.destroy();
  });

  it('an unknown path answers 404 whatever the body is', async () => {
    expectProblem(await post(client, '/nowhere', '{', JSON_TYPE), 404, 'not_found');
  });
});

describe('§8 the rate limit counts requests with an invalid body', () => {
  it('requests with an invalid body answer 429 over the limit', async () => {
    const { api_key } = await service.openAccount(10);
    const caller = await service.client(api_key);
    for (let count = 0; count < 30; count += 1)
      expectProblem(await post(caller, '/jobs/cancel', '{', JSON_TYPE), 422);
    expectProblem(await post(caller, '/jobs/cancel', '{', JSON_TYPE), 429, 'rate_limit_exceeded');
    expectProblem(
      await post(caller, '/jobs/cancel', '{}', { 'Content-Type': ';' }),
      429,
      'rate_limit_exceeded',
    );
  });
});

describe('a slowly arriving JSON body', () => {
  it('answers 422 after the timeout and the connection is closed', async () => {
    const clientRequest = openRequest(client, '/upload/complete');
    const closed = new Promise((resolve) => clientRequest.once('close', resolve));
    const startedAt = performance.now();
    clientRequest.write('{"job_id": "');
    const writeTimer = setInterval(() => clientRequest.write('x'), 100);
    try {
      const response = await readResponse(clientRequest);
      const seconds = (performance.now() - startedAt) / 1000;
      expectInvalidFields(response, 'body');
      expect(response.text).toContain('did not arrive within');
      expect(seconds).toBeGreaterThan(BODY_SECONDS * 0.9);
      expect(seconds).toBeLessThan(BODY_SECONDS + 10);
      await closed;
    } finally {
      clearInterval(writeTimer);
    }
  });

  it('is accepted when it is complete in time', async () => {
    const clientRequest = openRequest(client, '/upload/complete');
    const pendingResponse = readResponse(clientRequest);
    for (const chunk of ['{"job', '_id": "', UNKNOWN, '"}'])
      await new Promise((resolve) => clientRequest.write(chunk, resolve));
    clientRequest.end();
    expectProblem(await pendingResponse, 404, 'job_not_found');
  });
});

/**
 * The longest CPU time (ms) that the API used while a liveness request waited and `task` ran. Wall time would include
 * the load of the machine.
 */
async function measureLongestPause(pid: number, task: Promise<unknown>): Promise<number> {
  const state = { done: false };
  const finished = task.finally(() => (state.done = true));
  let longest = 0;
  do {
    const startCpuMs = await readCpuTimeMs(pid);
    await (await fetch(`${service.baseUrl}/health/live`)).text();
    longest = Math.max(longest, (await readCpuTimeMs(pid)) - startCpuMs);
  } while (!state.done);
  await finished;
  return longest;
}

describe('lists of a million items', () => {
  let api: number;
  beforeAll(async () => void (api = await service.pidOf('api')));

  const largeArray = `[${Array.from({ length: MILLION - 10 }, () => 1).join(',')}]`;
  const deep = '['.repeat(900_000) + ']'.repeat(900_000);

  it.each([
    ['/upload', 'custom_vocabulary', largeArray, '"file_size": 1'],
    ['/upload', 'model', largeArray, '"file_size": 1'],
    ['/upload', 'tier', deep, '"file_size": 1'],
    ['/upload/multipart/create', 'file_size', largeArray, '"nltk": true'],
    ['/upload/multipart/complete', 'parts', largeArray, `"job_id": "${UNKNOWN}"`],
    ['/jobs/check-failed', 'job_ids', largeArray, '"nothing": 1'],
  ])('%s with %s answers 422 at once and delays no other request', async (path, field, list, validField) => {
    const body = `{${validField}, "${field}": ${list}}`;
    const startedAt = performance.now();
    const pendingResponse = post(client, path, body, JSON_TYPE);
    const pause = await measureLongestPause(api, pendingResponse);
    const elapsedMs = performance.now() - startedAt;
    console.log(
      `${path} ${field}: ${elapsedMs.toFixed(0)} ms; CPU time during the longest pause: ${pause.toFixed(0)} ms`,
    );
    expectInvalidFields(await pendingResponse, field);
    expect(pause).toBeLessThan(1_000);
  });

  it('in an unknown field are only parsed', async () => {
    const pendingResponse = post(
      client,
      '/upload/complete',
      `{"job_id": "${UNKNOWN}", "x": ${largeArray}}`,
      JSON_TYPE,
    );
    expect(await measureLongestPause(api, pendingResponse)).toBeLessThan(1_000);
    expectProblem(await pendingResponse, 404, 'job_not_found');
  });
});
