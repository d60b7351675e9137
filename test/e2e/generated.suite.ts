import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Description, type Operation } from './generated/described.js';
import { anyRequest, type GeneratedRequest, type KeyKind } from './generated/requests.js';
import type { Pool } from './generated/values.js';
import { type Received, verdict } from './generated/verdict.js';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { Service } from './support/service.js';

const AT_ONCE = 8;
const ANSWER_WITHIN_MS = 30_000;
/** With so many hardly a route meets no good request. */
const ENOUGH = 2_000;
const MORE_ROUNDS = 5;
const MORE_REQUESTS = 200;

let service: Service;
let client: Client;
let description: Description;
let keys: Record<KeyKind, string | null>;
let pool: Pool;

async function prepare(): Promise<void> {
  service = await Service.start();
  client = await service.client();
  description = new Description(expectStatus(200, await client.send('GET', '/api/v1/openapi.json')));
  const poor = await service.openAccount(0);
  keys = { good: client.apiKey, poor: poor.api_key, none: null, wrong: `${client.apiKey}x` };
  pool = { ids: await someJobs() };
}

/** Uploads of both kinds that nothing was sent for, some of them aborted, one of another account, and jobs that are done. */
async function someJobs(): Promise<string[]> {
  const stranger = await service.client((await service.openAccount(100)).api_key);
  const made = await Promise.all([
    ...Array.from({ length: 20 }, () => client.post('/upload', { file_size: 10 })),
    ...Array.from({ length: 20 }, () => client.post('/upload/multipart/create', { file_size: 10 })),
    stranger.post('/upload', { file_size: 10 }),
  ]);
  const pending = made.map((answer) => expectStatus<{ job_id: string }>(200, answer).job_id);
  // A completion of one that ended answers how; nothing is sent for the others, so they cannot be completed well.
  for (const jobId of pending.slice(20, 25))
    expectStatus(200, await client.post('/upload/multipart/abort', { job_id: jobId }));
  const done = await Promise.all(Array.from({ length: 15 }, () => client.submit(silentWav(0.1))));
  await Promise.all(done.map(({ job_id: id }) => client.events(id)));
  return [...pending, ...done.map(({ job_id: id }) => id)];
}

async function send({ operation, key, path, headers, body }: GeneratedRequest): Promise<Received> {
  const apiKey = keys[key];
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: operation.method.toUpperCase(),
    headers: [...headers, ...(apiKey === null ? [] : [['X-API-Key', apiKey] as [string, string]])],
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const { status } = response;
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status, headers: response.headers, text: await response.text() };
  await response.body?.cancel();
  return { status, headers: response.headers, text: null };
}

/**
 * As many requests as wanted, made of the OpenAPI document: each answer is as the document says, none is a 5xx.
 * @param seed which ones; printed in the name of the test
 */
export function describeGenerated(count: number, seed: number): void {
  describe('generated requests', () => {
    beforeAll(prepare);
    afterAll(() => service?.stop());

    it(
      `${count} requests are answered as the document says (seed ${seed})`,
      async () => {
        const met: Met = new Map(description.operations.map(({ name }) => [name, new Set()]));
        await ask(met, count, seed);
        if (count >= ENOUGH) {
          await askUnmet(met, seed);
          expectAllMet(met);
        }
        expect((await client.send('GET', '/health/ready')).status).toBe(200);
      },
      60_000 + count * 100,
    );
  });
}

/** The statuses that each operation was answered with. */
type Met = Map<string, Set<number>>;

async function ask(met: Met, count: number, seed: number, operations?: Operation[]): Promise<void> {
  const request = anyRequest(description, pool, operations);
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (batch) => {
      await Promise.all(
        batch.map(async (each) => {
          const received = await send(each);
          met.get(each.operation.name)?.add(received.status);
          expect(
            verdict(description, each, received),
            `${each.operation.name} ${each.path.slice(0, 200)} ${each.body?.slice(0, 500)}`,
          ).toEqual([]);
        }),
      );
    }),
    { numRuns: Math.ceil(count / AT_ONCE), seed, endOnFailure: true },
  );
}

/** Chance may use up all uploads before one is completed well: such routes are asked again, about new jobs. */
async function askUnmet(met: Met, seed: number): Promise<void> {
  for (let round = 1; round <= MORE_ROUNDS; round += 1) {
    const unmet = description.operations.filter(({ name }) => !met.get(name)?.has(200));
    if (unmet.length === 0) return;
    pool.ids.splice(0, pool.ids.length, ...(await someJobs()));
    await ask(met, MORE_REQUESTS, seed + round, unmet);
  }
}

/** Otherwise nothing would have been shown: every route was met by good and by bad requests. */
function expectAllMet(met: Met): void {
  for (const { name, isPublic, answers } of description.operations) {
    const statuses = [...(met.get(name) ?? [])];
    expect(statuses, name).toContain(200);
    if (!isPublic) expect(statuses, name).toContain(401);
    for (const status of [400, 402, 404, 422]) {
      // Without an example it is reserved: there is nothing yet that would be answered so.
      const [{ examples } = {}] = Object.values(answers[String(status)]?.content ?? {});
      if (examples) expect(statuses, name).toContain(status);
    }
  }
}
