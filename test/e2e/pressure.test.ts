import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse, Client } from './support/client.js';
import { measurePeakMemoryIncrease } from './support/measure-memory.js';
import { expectConcurrencyInUse as expectTakenBy, CONCURRENCY_LIMITS } from './support/concurrency-limits.js';
import { expectProblem } from './support/problem.js';
import { countOpenFiles } from './support/processes.js';
import { openSocket, readResponse } from './support/raw-http.js';
import { Service } from './support/service.js';
import { startSlowPut, type SlowPut } from './support/slow-put.js';

const MIB = 2 ** 20;
/** Longer than any test leaves a body alone, however busy the machine is. */
const IDLE_SECONDS = 8;
const SETTINGS = {
  MAX_CONCURRENT_UPLOADS: '3',
  MAX_CONCURRENT_UPLOADS_PER_ACCOUNT: '2',
  BODY_IDLE_SECONDS: String(IDLE_SECONDS),
  BODY_BYTES_PER_SECOND: '1000',
  STREAM_POOL_SIZE: '2',
  STREAM_QUEUE_SIZE: '1',
  STREAM_POOL_PER_KEY: '2',
  JSON_POOL_BYTES: '4000',
  JSON_POOL_BYTES_PER_KEY: '3000',
  SLOW_READER_TIMEOUT_SECONDS: '2',
};
const SIZE = 10_000;
const READERS = 10;
const SOME = new Uint8Array(100);

let service: Service;
/** Callers of two organisations. */
let one: Client;
let other: Client;
let sockets: Socket[] = [];

beforeAll(async () => {
  service = await Service.start(SETTINGS);
  one = await service.client();
  other = await service.client((await service.openAccount(10)).api_key);
});
afterAll(() => service?.stop());
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  for (const places of CONCURRENCY_LIMITS) await expectTaken(places, 0);
});

const expectTaken = (places: (typeof CONCURRENCY_LIMITS)[number], count: number) =>
  expectTakenBy(one, places, count);

/** All places are taken: the service lacks room. */
function expectFull(answer: ApiResponse): void {
  expect(expectProblem(answer, 503, 'service_unavailable').detail).toContain('at once');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** The share of the caller is taken: it asks for too much at once. */
function expectShareTaken(answer: ApiResponse): void {
  expect(expectProblem(answer, 429, 'concurrency_limit_exceeded').detail).toContain('at once');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** The beginning of a request on a connection of its own. */
function begin(caller: Client, request: string, headers: Record<string, string | number> = {}): Socket {
  const lines = { Host: 'x', 'X-API-Key': caller.apiKey ?? '', ...headers };
  const socket = openSocket(caller);
  socket.on('error', () => undefined);
  const said = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${request} HTTP/1.1\r\n${said.join('')}\r\n`);
  sockets.push(socket);
  return socket;
}

async function upload(caller: Client): Promise<SlowPut> {
  const { upload_url, content_type } = await caller.create({ file_size: SIZE });
  const put = startSlowPut(upload_url, content_type, SIZE);
  await put.send(SOME);
  return put;
}

describe('concurrent audio uploads', () => {
  const transcribe = (caller: Client) =>
    begin(caller, 'POST /api/v1/transcribe', { 'Content-Type': 'audio/wav', 'Content-Length': SIZE });
  const openai = (caller: Client) =>
    begin(caller, 'POST /v1/audio/transcriptions', {
      Authorization: `Bearer ${caller.apiKey}`,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': SIZE,
    });

  it('over the limit of one account or of the process are rejected on every route', async () => {
    const first = await upload(one);
    transcribe(one);
    await expectTaken('bodies', 2);
    await expectTaken('streams', 1);
    expectShareTaken(await (await upload(one)).answer);
    expectShareTaken(await readResponse(transcribe(one)));
    const told = await readResponse(openai(one));
    expect([told.status, told.headers.get('retry-after')]).toEqual([429, '2']);
    expect(JSON.parse(told.text)).toMatchObject({
      error: { type: 'requests', code: 'concurrency_limit_exceeded' },
    });

    openai(other);
    await expectTaken('bodies', 3);
    await expectTaken('streams', 2);
    expectFull(await (await upload(other)).answer);
    const full = await readResponse(openai(other));
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '2']);
    expect(JSON.parse(full.text)).toMatchObject({
      error: { type: 'server_error', code: 'service_unavailable' },
    });
    await first.send(new Uint8Array(SIZE - SOME.length));
    expect((await first.answer).status).toBe(200);
    await expectTaken('bodies', 2);
  });

  it('release their slots when their clients disconnect, stall or are too slow', async () => {
    const [leaving, silent] = [await upload(one), await upload(one)];
    const dribbling = await upload(other);
    await expectTaken('bodies', 3);
    leaving.leave();
    await expectTaken('bodies', 2);
    const begun = performance.now();
    const dribble = setInterval(() => void dribbling.send(SOME.slice(0, 10)).catch(() => undefined), 100);
    try {
      await expect(silent.answer).rejects.toThrow();
      await expect(dribbling.answer).rejects.toThrow();
    } finally {
      clearInterval(dribble);
    }
    const seconds = (performance.now() - begun) / 1_000;
    expect(seconds).toBeGreaterThan(IDLE_SECONDS * 0.8);
    expect(seconds).toBeLessThan(IDLE_SECONDS + 5);
    await expectTaken('bodies', 0);
    expect((await one.upload(SOME)).job_id).toBeTruthy();
  });
});

describe('concurrent event streams', () => {
  it('over the limit of a key answer 429, and over the limit of the process get their position and a time to reconnect', async () => {
    const jobs = [await one.create({ file_size: 1 }), await other.create({ file_size: 1 })] as const;
    const stream = (at: 0 | 1) => begin(at === 0 ? one : other, `GET /api/v1/jobs/${jobs[at].job_id}/stream`);
    const first = stream(0);
    stream(0);
    await expectTaken('streams', 2);
    expectShareTaken(await readResponse(stream(0)));
    const [waiting] = await new Promise<string[]>((resolve) => {
      const asked = stream(1);
      let heard = '';
      asked.on('data', (bytes) => {
        heard += bytes.toString();
        if (heard.includes('event: waiting')) resolve([heard]);
      });
    });
    expect(waiting).toContain('"position":1');
    const full = await other.send('GET', `/api/v1/jobs/${jobs[1].job_id}/stream`);
    expect([full.status, full.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    for (const line of [/^event: waiting$/m, /^id: 0$/m, /^retry: \d{4,5}$/m, /"position":2/])
      expect(full.text).toMatch(line);
    expectProblem(await other.send('GET', `/api/v1/jobs/${jobs[0].job_id}/stream`), 404, 'job_not_found');
    await expectTaken('streams', 3);
    first.destroy();
    await expectTaken('streams', 2);
    stream(0);
    await expectTaken('streams', 3);
  });
});

describe('concurrent JSON bodies', () => {
  it('over the byte limit of a key or of the process are rejected, and a slow body delays no other', async () => {
    const post = (caller: Client, length: number) =>
      begin(caller, 'POST /api/v1/upload/complete', {
        'Content-Type': 'application/json',
        'Content-Length': length,
      });
    const slow = post(one, 2_500);
    await expectTaken('json', 2_500);
    expectShareTaken(await readResponse(post(one, 1_000)));
    expectFull(await readResponse(post(other, 2_000)));
    expect((await other.send('GET', '/api/v1/jobs')).status).toBe(200);
    slow.write(' '.repeat(2_498) + '{}');
    expectProblem(await readResponse(slow), 422, 'validation_failed');
  });
});

describe('clients that never read', () => {
  it('are disconnected, and the data buffered for them is bounded', async () => {
    const asked = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100);
    const pid = await service.pidOf('api');
    const before = await countOpenFiles(pid);
    const raised = await measurePeakMemoryIncrease(pid, async () => {
      const answered = Array.from({ length: READERS }, async () => {
        const socket = openSocket(one).on('error', () => undefined);
        sockets.push(socket);
        socket.write(asked);
        // That it is answered shows that it was let in; it reads no more from then on.
        const [first] = (await once(socket, 'data')) as [Buffer];
        socket.pause();
        expect(first.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
      });
      await Promise.all(answered);
      await expect.poll(() => countOpenFiles(pid), { timeout: 20_000 }).toBeLessThan(before + READERS / 2);
    });
    console.log(`memory rose by ${(raised / MIB).toFixed(0)} MiB`);
    expect(raised).toBeLessThan(150 * MIB);
  });
});
