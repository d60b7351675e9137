import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse, Client } from './support/client.js';
import { measurePeakMemoryIncrease } from './support/measure-memory.js';
import { expectConcurrencyInUse, CONCURRENCY_LIMITS } from './support/concurrency-limits.js';
import { expectProblem } from './support/problem.js';
import { countOpenFiles } from './support/processes.js';
import { openSocket, readResponse } from './support/raw-http.js';
import { Service } from './support/service.js';
import { startSlowPut, type SlowPut } from './support/slow-put.js';

const MIB = 2 ** 20;
/** Longer than any test keeps a body idle, even on a busy machine. */
const IDLE_SECONDS = 8;
const SETTINGS = {
  MAX_CONCURRENT_UPLOADS: '3',
  MAX_CONCURRENT_UPLOADS_PER_ACCOUNT: '2',
  BODY_IDLE_SECONDS: String(IDLE_SECONDS),
  BODY_BYTES_PER_SECOND: '1000',
  MAX_CONCURRENT_STREAMS: '2',
  STREAM_QUEUE_SIZE: '1',
  MAX_CONCURRENT_STREAMS_PER_ACCOUNT: '2',
  MAX_CONCURRENT_JSON_BYTES: '4000',
  MAX_CONCURRENT_JSON_BYTES_PER_ACCOUNT: '3000',
  SLOW_READER_TIMEOUT_SECONDS: '2',
};
const SIZE = 10_000;
const CONNECTIONS = 10;
const SMALL_BODY = new Uint8Array(100);

let service: Service;
/** Callers of two accounts; the first has two keys. */
let client: Client;
let clientWithSecondKey: Client;
let otherClient: Client;
let sockets: Socket[] = [];

beforeAll(async () => {
  service = await Service.start(SETTINGS);
  const account = await service.openAccount(100);
  client = await service.client(account.api_key);
  clientWithSecondKey = await service.client((await service.createKey(account.account_id)).api_key);
  otherClient = await service.client((await service.openAccount(10)).api_key);
});
afterAll(() => service?.stop());
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  for (const limit of CONCURRENCY_LIMITS) await expectInUse(limit, 0);
});

const expectInUse = (limit: (typeof CONCURRENCY_LIMITS)[number], count: number) =>
  expectConcurrencyInUse(client, limit, count);

/** The response when all slots are in use. */
function expectRejectedAsFull(response: ApiResponse): void {
  expect(expectProblem(response, 503, 'service_unavailable').detail).toContain('at once');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** The response when the share of the account or network is in use. */
function expectShareInUse(response: ApiResponse): void {
  expect(expectProblem(response, 429, 'concurrency_limit_exceeded').detail).toContain('at once');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** Sends the beginning of a request on a separate connection. */
function openRequest(caller: Client, request: string, headers: Record<string, string | number> = {}): Socket {
  const lines = { Host: 'x', 'X-API-Key': caller.apiKey ?? '', ...headers };
  const socket = openSocket(caller);
  socket.on('error', () => undefined);
  const headerLines = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${request} HTTP/1.1\r\n${headerLines.join('')}\r\n`);
  sockets.push(socket);
  return socket;
}

async function upload(caller: Client): Promise<SlowPut> {
  const { upload_url, content_type } = await caller.create({ file_size: SIZE });
  const put = startSlowPut(upload_url, content_type, SIZE);
  await put.send(SMALL_BODY);
  return put;
}

describe('concurrent audio uploads', () => {
  const transcribe = (caller: Client) =>
    openRequest(caller, 'POST /api/v1/transcribe', { 'Content-Type': 'audio/wav', 'Content-Length': SIZE });
  const openai = (caller: Client) =>
    openRequest(caller, 'POST /v1/audio/transcriptions', {
      Authorization: `Bearer ${caller.apiKey}`,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': SIZE,
    });

  it('over the limit of one account or of the process are rejected on every route', async () => {
    const first = await upload(client);
    transcribe(client);
    await expectInUse('bodies', 2);
    await expectInUse('streams', 1);
    expectShareInUse(await (await upload(client)).pendingResponse);
    expectShareInUse(await readResponse(transcribe(client)));
    const rejected = await readResponse(openai(client));
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '2']);
    expect(JSON.parse(rejected.text)).toMatchObject({
      error: { type: 'requests', code: 'concurrency_limit_exceeded' },
    });

    openai(otherClient);
    await expectInUse('bodies', 3);
    await expectInUse('streams', 2);
    expectRejectedAsFull(await (await upload(otherClient)).pendingResponse);
    const full = await readResponse(openai(otherClient));
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '2']);
    expect(JSON.parse(full.text)).toMatchObject({
      error: { type: 'server_error', code: 'service_unavailable' },
    });
    await first.send(new Uint8Array(SIZE - SMALL_BODY.length));
    expect((await first.pendingResponse).status).toBe(200);
    await expectInUse('bodies', 2);
  });

  it('release their slots when their clients disconnect, stall or are too slow', async () => {
    const [disconnecting, stalled] = [await upload(client), await upload(client)];
    const slow = await upload(otherClient);
    await expectInUse('bodies', 3);
    disconnecting.disconnect();
    await expectInUse('bodies', 2);
    const startedAt = performance.now();
    const sendTimer = setInterval(() => void slow.send(SMALL_BODY.slice(0, 10)).catch(() => undefined), 100);
    try {
      await expect(stalled.pendingResponse).rejects.toThrow();
      await expect(slow.pendingResponse).rejects.toThrow();
    } finally {
      clearInterval(sendTimer);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(seconds).toBeGreaterThan(IDLE_SECONDS * 0.8);
    expect(seconds).toBeLessThan(IDLE_SECONDS + 5);
    await expectInUse('bodies', 0);
    expect((await client.upload(SMALL_BODY)).job_id).toBeTruthy();
  });
});

describe('concurrent event streams', () => {
  it('over the limit of an account answer 429, and over the limit of the process get their position and a time to reconnect', async () => {
    const jobs = [
      await client.create({ file_size: 1 }),
      await otherClient.create({ file_size: 1 }),
      await otherClient.create({ file_size: 1 }),
    ] as const;
    const stream = (index: 0 | 1) =>
      openRequest(index === 0 ? client : otherClient, `GET /api/v1/jobs/${jobs[index].job_id}/stream`);
    const first = stream(0);
    // Later requests may arrive earlier on a busy machine.
    await expectInUse('streams', 1);
    stream(0);
    await expectInUse('streams', 2);
    expectShareInUse(await readResponse(stream(0)));
    const [waiting] = await new Promise<string[]>((resolve) => {
      // The first account yields a slot to the other one.
      stream(1);
      let receivedText = '';
      first.on('data', (bytes) => {
        receivedText += bytes.toString();
        if (receivedText.includes('event: waiting')) resolve([receivedText]);
      });
    });
    expect(waiting).toContain('"position":1');
    const full = await otherClient.send('GET', `/api/v1/jobs/${jobs[1].job_id}/stream`);
    expect([full.status, full.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    for (const line of [/^event: waiting$/m, /^id: 0$/m, /^retry: \d{4,5}$/m, /"position":2/])
      expect(full.text).toMatch(line);
    expectProblem(
      await otherClient.send('GET', `/api/v1/jobs/${jobs[0].job_id}/stream`),
      404,
      'job_not_found',
    );
    await otherClient.post('/jobs/cancel', { job_id: jobs[2].job_id });
    const ended = await otherClient.send('GET', `/api/v1/jobs/${jobs[2].job_id}/stream`);
    expect(ended.text, 'an ended job is served above the limit').toMatch(/^event: failed$/m);
    expect(ended.text).not.toContain('waiting');
    await expectInUse('streams', 3);
    first.destroy();
    await expectInUse('streams', 2);
    stream(0);
    await expectInUse('streams', 3);
  });
});

describe('concurrent JSON bodies', () => {
  it('over the byte limit of an account or of the process are rejected, and a slow body delays no other', async () => {
    const post = (caller: Client, length: number) =>
      openRequest(caller, 'POST /api/v1/upload/complete', {
        'Content-Type': 'application/json',
        'Content-Length': length,
      });
    const slow = post(client, 2_500);
    await expectInUse('json', 2_500);
    for (const caller of [client, clientWithSecondKey])
      expectShareInUse(await readResponse(post(caller, 1_000)));
    expectRejectedAsFull(await readResponse(post(otherClient, 2_000)));
    expect((await otherClient.send('GET', '/api/v1/jobs')).status).toBe(200);
    slow.write(' '.repeat(2_498) + '{}');
    expectProblem(await readResponse(slow), 422, 'validation_failed');
  });

  it('of strangers are small, have a share for each network, and take nothing from callers with a key', async () => {
    const signIn = (length: number) =>
      openRequest(client, 'POST /console/api/sign-in', {
        'Content-Type': 'application/json',
        'X-Console': '1',
        'Content-Length': length,
      });
    const tooLarge = expectProblem(await readResponse(signIn(20_000)), 422, 'validation_failed');
    expect(tooLarge.errors).toEqual([{ field: 'body', message: 'is too large for a JSON request' }]);
    signIn(700);
    await expectInUse('unauthenticated_json', 700);
    expectShareInUse(await readResponse(signIn(100)));
    await expectInUse('json', 0);
    expectProblem(await client.post('/upload/complete', {}), 422, 'validation_failed');
  });
});

describe('clients that never read', () => {
  it('are disconnected, and the data buffered for them is bounded', async () => {
    const requests = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100);
    const pid = await service.pidOf('api');
    const before = await countOpenFiles(pid);
    const memoryIncrease = await measurePeakMemoryIncrease(pid, async () => {
      const openings = Array.from({ length: CONNECTIONS }, async () => {
        const socket = openSocket(client).on('error', () => undefined);
        sockets.push(socket);
        socket.write(requests);
        // A first response shows that the request was admitted; the socket is not read from then on.
        const [first] = (await once(socket, 'data')) as [Buffer];
        socket.pause();
        expect(first.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
      });
      await Promise.all(openings);
      await expect
        .poll(() => countOpenFiles(pid), { timeout: 20_000 })
        .toBeLessThan(before + CONNECTIONS / 2);
    });
    console.log(`memory rose by ${(memoryIncrease / MIB).toFixed(0)} MiB`);
    expect(memoryIncrease).toBeLessThan(150 * MIB);
  });
});
