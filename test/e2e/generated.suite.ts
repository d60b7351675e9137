import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Description, type Operation } from './generated/described.js';
import { generateRequest, type GeneratedRequest, type KeyKind } from './generated/requests.js';
import type { ResourcePool } from './generated/values.js';
import { type ReceivedResponse, findContractViolations } from './generated/contract-violations.js';
import { silentWav } from './support/audio.js';
import { type Client, expectStatus } from './support/client.js';
import { Service } from './support/service.js';

const CONCURRENCY = 8;
const RESPONSE_TIMEOUT_MS = 30_000;
/** With this many requests nearly every route gets a valid one. */
const COVERAGE_MIN_REQUESTS = 2_000;
const EXTRA_ROUNDS = 5;
const REQUESTS_PER_EXTRA_ROUND = 200;
/** One of this many requests. */
const SHARE_OF_DELETIONS = 20;

let service: Service;
let client: Client;
let description: Description;
let keys: Record<KeyKind, string | null>;
let pool: ResourcePool;

async function prepare(): Promise<void> {
  service = await Service.start();
  client = await service.client();
  description = new Description(expectStatus(200, await client.send('GET', '/api/v1/openapi.json')));
  const accountWithoutCredits = await service.openAccount(0);
  keys = {
    valid: client.apiKey,
    'without credits': accountWithoutCredits.api_key,
    none: null,
    invalid: `${client.apiKey}x`,
  };
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

async function send({ operation, key, path, headers, body }: GeneratedRequest): Promise<ReceivedResponse> {
  const apiKey = keys[key];
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: operation.method.toUpperCase(),
    headers: [...headers, ...(apiKey === null ? [] : [['X-API-Key', apiKey] as [string, string]])],
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  const { status } = response;
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return { status, headers: response.headers, text: await response.text() };
  await response.body?.cancel();
  return { status, headers: response.headers, text: null };
}

/**
 * Sends random requests generated from the OpenAPI document: each response matches the document, and none is a 5xx.
 * @param seed of the random requests; part of the test name
 */
export function describeGenerated(count: number, seed: number): void {
  describe('generated requests', () => {
    beforeAll(prepare);
    afterAll(() => service?.stop());

    it(
      `the responses to ${count} requests match the OpenAPI document (seed ${seed})`,
      async () => {
        const statusesByOperation: StatusesByOperation = new Map(
          description.operations.map(({ name }) => [name, new Set()]),
        );
        // Deletions come last: they would soon leave no job for the other routes.
        const isDeletion = ({ method }: Operation) => method === 'delete';
        const others = description.operations.filter((operation) => !isDeletion(operation));
        await sendRandomRequests(statusesByOperation, count, seed, others);
        const deletions = description.operations.filter(isDeletion);
        await sendRandomRequests(statusesByOperation, Math.ceil(count / SHARE_OF_DELETIONS), seed, deletions);
        if (count >= COVERAGE_MIN_REQUESTS) {
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
  const request = generateRequest(description, pool, operations);
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: CONCURRENCY, maxLength: CONCURRENCY }), async (batch) => {
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
    { numRuns: Math.ceil(count / CONCURRENCY), seed, endOnFailure: true },
  );
}

/** Random requests may end all uploads before one is completed. Routes without some response get requests about new jobs. */
async function sendRequestsToUncovered(
  statusesByOperation: StatusesByOperation,
  seed: number,
): Promise<void> {
  for (let round = 1; round <= EXTRA_ROUNDS; round += 1) {
    const uncovered = description.operations.filter(
      (operation) => listMissingResponses(operation, statusesByOperation).length > 0,
    );
    if (uncovered.length === 0) return;
    pool.ids.splice(0, pool.ids.length, ...(await createVariedJobs()));
    await sendRandomRequests(statusesByOperation, REQUESTS_PER_EXTRA_ROUND, seed + round, uncovered);
  }
}

/** The run is only meaningful if every route got valid and invalid requests. */
function expectAllCovered(statusesByOperation: StatusesByOperation): void {
  for (const operation of description.operations)
    expect(listMissingResponses(operation, statusesByOperation), operation.name).toEqual([]);
}

/** What the route has not answered yet: a success, 401, or an error with an example. */
function listMissingResponses(
  { name, isPublic, documentedResponses }: Operation,
  statusesByOperation: StatusesByOperation,
): string[] {
  const statuses = statusesByOperation.get(name) ?? new Set();
  const expected = isPublic ? [] : [401];
  for (const status of [400, 402, 404, 422]) {
    // Without an example the code is reserved: no response has it yet.
    const [{ examples } = {}] = Object.values(documentedResponses[String(status)]?.content ?? {});
    if (examples) expected.push(status);
  }
  const missing = expected.filter((status) => !statuses.has(status)).map(String);
  return statuses.has(200) || statuses.has(204) ? missing : ['success', ...missing];
}
