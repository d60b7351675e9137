import { readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Bytes, synthesizeSpeech } from '../e2e/support/audio.js';
import { type Client, expectStatus } from '../e2e/support/client.js';
import { measurePeakMemoryIncrease } from '../e2e/support/measure-memory.js';
import { expectConcurrencyInUse, CONCURRENCY_LIMITS } from '../e2e/support/concurrency-limits.js';
import { expectProblem } from '../e2e/support/problem.js';
import { countOpenFiles } from '../e2e/support/processes.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { AbusiveClients, type ClientBehaviour } from './support/abusive-clients.js';
import { seededRandomFor } from './support/seed.js';

const MIB = 2 ** 20;
/** A third sends audio, a third sends JSON, and a third does not read its response. */
const ABUSIVE_CLIENTS = 600;
const LOAD_SECONDS = 12;
const ARRIVAL_MS = 3_000;
const STREAMS = 60;
/**
 * The limits have their defaults, except for streams; timeouts are short. Rate limits are off, because they would
 * reject the abusive clients first.
 */
const SETTINGS = {
  RATE_LIMIT_FACTOR: '0',
  BODY_IDLE_SECONDS: '4',
  JSON_BODY_SECONDS: '5',
  SLOW_READER_TIMEOUT_SECONDS: '2',
  MAX_CONCURRENT_STREAMS_PER_ACCOUNT: String(STREAMS),
};
/** Three times the longest of these timeouts, because machines may be busy. */
const DISCONNECT_TIMEOUT_MS = 3 * 7_000;
const MAX_JSON_BYTES = 2 * MIB;
const TRANSCRIPT_BYTES = 64 * MIB;
const MAX_INCREASE_MIB = 256;
const AUDIO = new Uint8Array(100);
/** The statuses above the share of one caller, and above the limit of all callers. */
const REJECTED_STATUSES = [429, 503];
/** Connections of regular clients, and other short-lived files. */
const OTHER_FILES = 20;

const random = seededRandomFor('back-pressure');

let service: Service;
let regularClient: Client;
let abusiveClient: Client;
let audio: Bytes;

beforeAll(async () => {
  audio = await synthesizeSpeech('Good morning.');
  service = await Service.start(SETTINGS);
  regularClient = await service.client();
  abusiveClient = await service.client((await service.openAccount(10_000)).api_key);
});
afterAll(() => service?.stop());

it(`${ABUSIVE_CLIENTS} slow connections are limited and disconnected while other clients are served`, async () => {
  const [downloadPath, streamed] = [
    await createLargeTranscript(),
    (await abusiveClient.create({ file_size: 1 })).job_id,
  ];
  const sent = await createSlowUploads(ABUSIVE_CLIENTS / 3);
  const json = createSlowJson(ABUSIVE_CLIENTS / 3);
  const streams = createEventStreams(streamed, ABUSIVE_CLIENTS / 6);
  const allBehaviours = shuffle([
    ...sent,
    ...json,
    ...streams,
    ...createUnreadDownloads(downloadPath, ABUSIVE_CLIENTS / 6),
  ]);
  const pid = await service.pidOf('api');
  const filesBefore = await countOpenFiles(pid);
  const crowd = new AbusiveClients(abusiveClient);
  onTestFinished(() => crowd.closeAll());
  let [rounds, disconnectMs] = [0, 0];
  const increase = await measurePeakMemoryIncrease(pid, async () => {
    const endAt = Date.now() + LOAD_SECONDS * 1_000;
    for (const behaviour of allBehaviours)
      void pause(random.between(0, ARRIVAL_MS)).then(() => crowd.connect(behaviour));
    await until(
      'a third of the abusive clients is connected',
      async () => (await countOpenFiles(pid)) > filesBefore + ABUSIVE_CLIENTS / 3,
    );
    for (; Date.now() < endAt; rounds += 1) await sendRegularRequests();
    crowd.stopReconnecting();
    const crowdStoppedAt = Date.now();
    await expect
      .poll(() => countOpenFiles(pid), { timeout: DISCONNECT_TIMEOUT_MS, interval: 200 })
      .toBeLessThan(filesBefore + STREAMS + OTHER_FILES);
    disconnectMs = Date.now() - crowdStoppedAt;
  });
  expectStatus(200, await abusiveClient.post('/jobs/cancel', { job_id: streamed }));
  for (const limit of CONCURRENCY_LIMITS) await expectConcurrencyInUse(regularClient, limit, 0);

  const rejected = (behaviours: readonly ClientBehaviour[]) =>
    crowd.responses.filter(
      ({ behaviour, response }) =>
        behaviours.includes(behaviour) && REJECTED_STATUSES.includes(response.status),
    );
  console.log(
    `${crowd.responses.length} responses, ${crowd.disconnected} disconnected; rejected: ${rejected(sent).length} uploads, ` +
      `${rejected(json).length} JSON, ${rejected(streams).length} streams; ${rounds} rounds of regular requests; ` +
      `memory rose by ${(increase / MIB).toFixed(0)} MiB; all disconnected after ${(disconnectMs / 1_000).toFixed(1)} s`,
  );
  for (const behaviours of [sent, json, streams])
    expect(rejected(behaviours).length).toBeGreaterThan(STREAMS / 2);
  for (const { behaviour, response } of rejected(allBehaviours)) {
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    if (behaviour.readsResponse) expect(expectProblem(response, response.status).detail).toContain('at once');
  }
  expect(rounds).toBeGreaterThan(LOAD_SECONDS / 2);
  expect(increase).toBeLessThan(MAX_INCREASE_MIB * MIB);

  const { job_id } = await regularClient.submit(audio);
  expect((await regularClient.events(job_id)).at(-1)?.name).toBe('completed');
  const { download_url } = await regularClient.job(job_id);
  expect((await regularClient.download(download_url ?? '')).status).toBe(200);
});

/** One request of every kind that competes with the abusive clients. */
async function sendRegularRequests(): Promise<void> {
  const { job_id } = await regularClient.upload(AUDIO);
  expect((await regularClient.job(job_id)).status).toBe('processing');
  expectStatus(200, await regularClient.send('GET', '/api/v1/jobs'));
  expectStatus(200, await regularClient.post('/jobs/cancel', { job_id }));
  expect((await regularClient.events(job_id)).at(-1)?.name).toBe('failed');
  await pause(random.between(0, 50));
}

/** Uploads of one byte per second. */
async function createSlowUploads(count: number): Promise<ClientBehaviour[]> {
  const behaviours: ClientBehaviour[] = [];
  while (behaviours.length < count) {
    const { upload_url, content_type } = await abusiveClient.create({ file_size: 10_000 });
    const headers = { 'Content-Type': content_type, 'Content-Length': '10000' };
    behaviours.push({
      firstBytes: formatRequest(`PUT ${pathOf(upload_url)}`, headers),
      repeatedBytes: 'x',
      readsResponse: true,
    });
  }
  return behaviours;
}

/** JSON bodies of the maximum length, 64 KiB per second. */
function createSlowJson(count: number): ClientBehaviour[] {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(MAX_JSON_BYTES) };
  const beginning = formatRequest('POST /api/v1/upload/complete', headers);
  return repeatBehaviour(count, {
    firstBytes: beginning,
    repeatedBytes: ' '.repeat(64 * 1_024),
    readsResponse: true,
  });
}

/** Downloads that the client does not read, followed by a request that never ends. */
function createUnreadDownloads(path: string, count: number): ClientBehaviour[] {
  return repeatBehaviour(count, {
    firstBytes: `${formatRequest(`GET ${path}`)}GET /`,
    repeatedBytes: 'x',
    readsResponse: false,
  });
}

/** Streams that stay open until the job ends. */
function createEventStreams(jobId: string, count: number): ClientBehaviour[] {
  return repeatBehaviour(count, {
    firstBytes: formatRequest(`GET /api/v1/jobs/${jobId}/stream`),
    readsResponse: false,
  });
}

/** Extends a short transcript to the size of that of a long recording. @returns its path */
async function createLargeTranscript(): Promise<string> {
  const { job_id } = await abusiveClient.submit(audio);
  expect((await abusiveClient.events(job_id)).at(-1)?.name).toBe('completed');
  const path = pathOf((await abusiveClient.job(job_id)).download_url ?? '');
  const file = join(service.dataDir, 'objects', `${path.split('?')[0]}@meta`);
  const record = JSON.parse(await readFile(file, 'utf8')) as { pieces: { file: string }[] };
  const pieces = record.pieces.map((piece) => ({ ...piece, size: TRANSCRIPT_BYTES }));
  await truncate(join(dirname(file), pieces[0]?.file ?? ''), TRANSCRIPT_BYTES);
  await writeFile(file, JSON.stringify({ ...record, size: TRANSCRIPT_BYTES, pieces }));
  return path;
}

function formatRequest(line: string, headers: Record<string, string> = {}): string {
  const headerLines = Object.entries({ Host: 'x', 'X-API-Key': abusiveClient.apiKey ?? '', ...headers });
  return `${line} HTTP/1.1\r\n${headerLines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

function repeatBehaviour(count: number, behaviour: ClientBehaviour): ClientBehaviour[] {
  return Array.from({ length: count }, () => ({ ...behaviour }));
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
