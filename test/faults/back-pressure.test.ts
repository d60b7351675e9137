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
/** A third each of senders of audio, senders of JSON, and readers that do not read. */
const CROWD = 600;
const SECONDS = 12;
const ARRIVAL_MS = 3_000;
const STREAMS = 60;
/**
 * The limits have their defaults, except for streams; timeouts are short. Rate limits are off: they would reject the
 * crowd first.
 */
const SETTINGS = {
  RATE_LIMIT_FACTOR: '0',
  BODY_IDLE_SECONDS: '4',
  JSON_BODY_SECONDS: '5',
  SLOW_READER_TIMEOUT_SECONDS: '2',
  STREAM_POOL_PER_KEY: String(STREAMS),
};
/** Three times the longest of these timeouts with overhead, because machines may be busy. */
const DISCONNECT_TIMEOUT_MS = 3 * 7_000;
const LARGEST_JSON = 2 * MIB;
const TRANSCRIPT = 64 * MIB;
const MAX_INCREASE_MIB = 256;
const AUDIO = new Uint8Array(100);
/** The statuses for the share of one caller and for the limit of all callers. */
const REJECTED_STATUSES = [429, 503];
/** Connections of regular clients, and other short-lived files. */
const OTHER_FILES = 20;

const chance = seededRandomFor('back-pressure');

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

it(`${CROWD} slow connections are limited and disconnected while other clients are served`, async () => {
  const [downloadPath, streamed] = [
    await largeTranscript(),
    (await abusiveClient.create({ file_size: 1 })).job_id,
  ];
  const sent = await uploads(CROWD / 3);
  const json = slowJson(CROWD / 3);
  const streams = eventStreams(streamed, CROWD / 6);
  const crowdMembers = shuffled([...sent, ...json, ...streams, ...downloads(downloadPath, CROWD / 6)]);
  const pid = await service.pidOf('api');
  const filesBefore = await countOpenFiles(pid);
  const crowd = new AbusiveClients(abusiveClient);
  onTestFinished(() => crowd.closeAll());
  let [rounds, disconnectMs] = [0, 0];
  const increase = await measurePeakMemoryIncrease(pid, async () => {
    const over = Date.now() + SECONDS * 1_000;
    for (const behaviour of crowdMembers)
      void pause(chance.between(0, ARRIVAL_MS)).then(() => crowd.connect(behaviour));
    await until('the crowd is there', async () => (await countOpenFiles(pid)) > filesBefore + CROWD / 3);
    for (; Date.now() < over; rounds += 1) await sendRegularRequests();
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
    crowd.answers.filter(
      ({ behaviour, answer }) => behaviours.includes(behaviour) && REJECTED_STATUSES.includes(answer.status),
    );
  console.log(
    `${crowd.answers.length} answers, ${crowd.disconnected} cut; rejected: ${rejected(sent).length} uploads, ` +
      `${rejected(json).length} JSON, ${rejected(streams).length} streams; ${rounds} rounds of regular requests; ` +
      `memory rose by ${(increase / MIB).toFixed(0)} MiB; gone after ${(disconnectMs / 1_000).toFixed(1)} s`,
  );
  for (const behaviours of [sent, json, streams])
    expect(rejected(behaviours).length).toBeGreaterThan(STREAMS / 2);
  for (const { behaviour, answer } of rejected(crowdMembers)) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    if (behaviour.reads) expect(expectProblem(answer, answer.status).detail).toContain('at once');
  }
  expect(rounds).toBeGreaterThan(SECONDS / 2);
  expect(increase).toBeLessThan(MAX_INCREASE_MIB * MIB);

  const { job_id } = await regularClient.submit(audio);
  expect((await regularClient.events(job_id)).at(-1)?.name).toBe('completed');
  const { download_url } = await regularClient.job(job_id);
  expect((await regularClient.download(download_url ?? '')).status).toBe(200);
});

/** One request of every kind that the crowd competes with. */
async function sendRegularRequests(): Promise<void> {
  const { job_id } = await regularClient.upload(AUDIO);
  expect((await regularClient.job(job_id)).status).toBe('processing');
  expectStatus(200, await regularClient.send('GET', '/api/v1/jobs'));
  expectStatus(200, await regularClient.post('/jobs/cancel', { job_id }));
  expect((await regularClient.events(job_id)).at(-1)?.name).toBe('failed');
  await pause(chance.between(0, 50));
}

/** Bodies of audio, one byte a second. */
async function uploads(count: number): Promise<ClientBehaviour[]> {
  const behaviours: ClientBehaviour[] = [];
  while (behaviours.length < count) {
    const { upload_url, content_type } = await abusiveClient.create({ file_size: 10_000 });
    const headers = { 'Content-Type': content_type, 'Content-Length': '10000' };
    behaviours.push({
      firstBytes: request(`PUT ${pathOf(upload_url)}`, headers),
      repeatedBytes: 'x',
      reads: true,
    });
  }
  return behaviours;
}

/** JSON of the maximum length, 64 KiB a second. */
function slowJson(count: number): ClientBehaviour[] {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(LARGEST_JSON) };
  const beginning = request('POST /api/v1/upload/complete', headers);
  return copies(count, { firstBytes: beginning, repeatedBytes: ' '.repeat(64 * 1_024), reads: true });
}

/** The client reads nothing of these, and its next request never ends. */
function downloads(path: string, count: number): ClientBehaviour[] {
  return copies(count, { firstBytes: `${request(`GET ${path}`)}GET /`, repeatedBytes: 'x', reads: false });
}

/** Open until the job ends. */
function eventStreams(jobId: string, count: number): ClientBehaviour[] {
  return copies(count, { firstBytes: request(`GET /api/v1/jobs/${jobId}/stream`), reads: false });
}

/** The path of a transcript as large as that of a long recording: a short one, extended. */
async function largeTranscript(): Promise<string> {
  const { job_id } = await abusiveClient.submit(audio);
  expect((await abusiveClient.events(job_id)).at(-1)?.name).toBe('completed');
  const path = pathOf((await abusiveClient.job(job_id)).download_url ?? '');
  const file = join(service.dataDir, 'objects', `${path.split('?')[0]}@meta`);
  const record = JSON.parse(await readFile(file, 'utf8')) as { pieces: { file: string }[] };
  const pieces = record.pieces.map((piece) => ({ ...piece, size: TRANSCRIPT }));
  await truncate(join(dirname(file), pieces[0]?.file ?? ''), TRANSCRIPT);
  await writeFile(file, JSON.stringify({ ...record, size: TRANSCRIPT, pieces }));
  return path;
}

function request(line: string, headers: Record<string, string> = {}): string {
  const headerLines = Object.entries({ Host: 'x', 'X-API-Key': abusiveClient.apiKey ?? '', ...headers });
  return `${line} HTTP/1.1\r\n${headerLines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

function copies(count: number, behaviour: ClientBehaviour): ClientBehaviour[] {
  return Array.from({ length: count }, () => ({ ...behaviour }));
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: chance.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
