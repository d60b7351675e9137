import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Description, type Operation } from './generated/described.js';
import { anyRequest, type GeneratedRequest, type KeyKind } from './generated/requests.js';
import type { Pool } from './generated/values.js';
import { type Received, findContractViolations } from './generated/contract-violations.js';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { Service } from './support/service.js';

const AT_ONCE = 8;
const ANSWER_WITHIN_MS = 30_000;
/** With this many requests nearly every route gets a valid one. */
const ATTEMPT_LIMIT = 2_000;
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
  const accountWithoutCredits = await service.openAccount(0);
  keys = { good: client.apiKey, poor: accountWithoutCredits.api_key, none: null, wrong: `${client.apiKey}x` };
  pool = { ids: await createVariedJobs() };
}

/** Uploads of both kinds without data, some aborted, one of another account, and jobs that have ended. */
async function createVariedJobs(): Promise<string[]> {
  const otherClient = await service.client((await service.openAccount(100)).api_key);
  const createdUploads = await Promise.all([
    ...Array.from({ length: 20 }, () => client.post('/upload', { file_size: 10 })),
    ...Array.from({ length: 20 }, () => client.post('/upload/multipart/create', { file_size: 10 })),
    otherClient.post('/upload', { file_size: 10 }),
  ]);
  const pending = createdUploads.map((response) => expectStatus<{ job_id: string }>(200, response).job_id);
  // Completing an aborted upload returns its status; the others have no data and cannot be completed.
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
 * Random requests made from the OpenAPI document: each response matches the document, and none is a 5xx.
 * @param seed of the random requests; printed in the name of the test
 */
export function describeGenerated(count: number, seed: number): void {
  describe('generated requests', () => {
    beforeAll(prepare);
    afterAll(() => service?.stop());

    it(
      `${count} requests are answered as the document says (seed ${seed})`,
      async () => {
        const statusesByOperation: StatusesByOperation = new Map(
          description.operations.map(({ name }) => [name, new Set()]),
        );
        await sendRandomRequests(statusesByOperation, count, seed);
        if (count >= ATTEMPT_LIMIT) {
          await sendRequestsToUncovered(statusesByOperation, seed);
          expectAllCovered(statusesByOperation);
        }
        expect((await client.send('GET', '/health/ready')).status).toBe(200);
      },
      60_000 + count * 100,
    );
  });
}

/** The statuses of the responses of each operation. */
type StatusesByOperation = Map<string, Set<number>>;

async function sendRandomRequests(
  statusesByOperation: StatusesByOperation,
  count: number,
  seed: number,
  operations?: Operation[],
): Promise<void> {
  const request = anyRequest(description, pool, operations);
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (batch) => {
      await Promise.all(
        batch.map(async (each) => {
          const received = await send(each);
          statusesByOperation.get(each.operation.name)?.add(received.status);
          expect(
            findContractViolations(description, each, received),
            `${each.operation.name} ${each.path.slice(0, 200)} ${each.body?.slice(0, 500)}`,
          ).toEqual([]);
        }),
      );
    }),
    { numRuns: Math.ceil(count / AT_ONCE), seed, endOnFailure: true },
  );
}

/** Random requests may use up all uploads before one is completed: such routes get requests about new jobs. */
async function sendRequestsToUncovered(
  statusesByOperation: StatusesByOperation,
  seed: number,
): Promise<void> {
  for (let round = 1; round <= MORE_ROUNDS; round += 1) {
    const uncovered = description.operations.filter(({ name }) => !statusesByOperation.get(name)?.has(200));
    if (uncovered.length === 0) return;
    pool.ids.splice(0, pool.ids.length, ...(await createVariedJobs()));
    await sendRandomRequests(statusesByOperation, MORE_REQUESTS, seed + round, uncovered);
  }
}

/** The run is only meaningful if every route got valid and invalid requests. */
function expectAllCovered(statusesByOperation: StatusesByOperation): void {
  for (const { name, isPublic, documentedResponses: responses } of description.operations) {
    const statuses = [...(statusesByOperation.get(name) ?? [])];
    expect(statuses, name).toContain(200);
    if (!isPublic) expect(statuses, name).toContain(401);
    for (const status of [400, 402, 404, 422]) {
      // Without an example the code is reserved: no response has it yet.
      const [{ examples } = {}] = Object.values(responses[String(status)]?.content ?? {});
      if (examples) expect(statuses, name).toContain(status);
    }
  }
}
