import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiResponse, Client, expectStatus } from './support/client.js';
import { waitUntilJobLockBlocks, whileJobsAreLocked } from './support/locked-jobs.js';
import { waitForResponse } from './support/streamed-transcription.js';
import { expectProblem } from './support/problem.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';

const LEASE_SECONDS = 2;

let service: Service;
let client: Client;
/** A client of another account. */
let other: Client;
/** A client of an account without credit. */
let clientWithoutCredits: Client;
let before: Set<string>;

beforeAll(async () => {
  service = await Service.start({ IDEMPOTENCY_LEASE_SECONDS: String(LEASE_SECONDS) });
  client = await service.client();
  other = await service.client((await service.openAccount(1_000)).api_key);
  clientWithoutCredits = await service.client((await service.openAccount(0)).api_key);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  before = new Set(await client.listJobIds());
});

/** The jobs that the test created, newest first. */
async function newJobs(): Promise<string[]> {
  return (await client.listJobIds()).filter((id) => !before.has(id));
}

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
const withKey = (key: string) => ({ 'Idempotency-Key': key });

/** Creates a job with a key; the body is sent unchanged. */
function create(path: string, key: string, body: string, caller = client): Promise<ApiResponse> {
  const headers = { 'Content-Type': 'application/json', ...withKey(key) };
  return caller.send('POST', `/api/v1${path}`, { body, headers });
}

function expectReused(response: ApiResponse): void {
  const { errors } = expectProblem(response, 422, 'idempotency_key_reused');
  expect(errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
}

function expectInProgress(response: ApiResponse): void {
  expectProblem(response, 409, 'idempotency_key_in_use');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

const isReplay = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';

describe.each([
  ['/upload', '{"file_size": 70000000, "nltk": false}', '{"nltk":false , "x": [1], "file_size":70000000}'],
  [
    '/upload/multipart/create',
    '{"file_size": 70000000, "output_type": "srt"}',
    '{"part_size":null,"output_type":"srt","file_size":70000000}',
  ],
])('§4.1, §4.4 POST %s with an Idempotency-Key', (path, body, equivalentBody) => {
  it('a repeated request gets the first response byte for byte and creates no job', async () => {
    const key = newKey();
    const first = await create(path, key, body);
    expect(isReplay(first)).toBe(false);
    for (const repeated of [body, equivalentBody]) {
      const repeatedResponse = await create(path, key, repeated);
      expect(repeatedResponse.status).toBe(200);
      expect(repeatedResponse.text).toBe(first.text);
      expect(repeatedResponse.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(isReplay(repeatedResponse)).toBe(true);
    }
    expect(await newJobs()).toEqual([expectStatus<{ job_id: string }>(200, first).job_id]);
  });

  it('the same key with another body answers 422 and names the header, and another key creates a job', async () => {
    const key = newKey();
    expectStatus(200, await create(path, key, body));
    expectReused(await create(path, key, '{"file_size": 70000001}'));
    expectStatus(200, await create(path, newKey(), body));
    expect(await newJobs()).toHaveLength(2);
  });

  it('twenty concurrent requests create one job: each gets its response, or 409 with Retry-After', async () => {
    const key = newKey();
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(path, key, body)));
    const created = responses.filter(({ status }) => status === 200);
    expect(created).not.toEqual([]);
    expect(new Set(created.map((response) => response.text)).size).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 200)) expectInProgress(response);
    expect((await create(path, key, body)).text).toBe(created[0]?.text);
    expect(await newJobs()).toHaveLength(1);
  });

  it('the same key in another account is independent', async () => {
    const key = newKey();
    const [ownResponse, otherResponse] = [
      await create(path, key, body),
      await create(path, key, body, other),
    ];
    expect(isReplay(otherResponse)).toBe(false);
    expect(expectStatus<{ job_id: string }>(200, otherResponse).job_id).not.toBe(
      expectStatus<{ job_id: string }>(200, ownResponse).job_id,
    );
  });

  it('an error response frees the key for a corrected request', async () => {
    const key = newKey();
    expectProblem(
      await create(path, key, '{"file_size": 9, "callback_url": "http://127.0.0.1/"}'),
      422,
      'validation_failed',
    );
    expectProblem(await create(path, key, '{"file_size": 99000000000000}'), 413);
    const response = await create(path, key, body);
    expect(isReplay(response)).toBe(false);
    expectStatus(200, response);
  });

  it('an account without credits gets 402 and the key stays free', async () => {
    const key = newKey();
    for (let times = 0; times < 2; times += 1)
      expectProblem(await create(path, key, body, clientWithoutCredits), 402, 'insufficient_credits');
  });
});

describe('the Idempotency-Key header', () => {
  it.each(['', ' ', 'k'.repeat(256), 'caf\u00e9'])(
    'with the invalid value %j answers 422 and names the header',
    async (key) => {
      const response = await create('/upload', key, '{"file_size": 1}');
      const { errors } = expectProblem(response, 422, 'validation_failed');
      expect(errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
      expect(await newJobs()).toEqual([]);
    },
  );

  it('sent twice answers 422', async () => {
    const clientRequest = request(`${service.baseUrl}/api/v1/upload`, {
      method: 'POST',
      headers: {
        'X-API-Key': client.apiKey ?? '',
        'Content-Type': 'application/json',
        'Idempotency-Key': ['one', 'one'],
      },
    });
    clientRequest.end('{"file_size": 1}');
    const response = await waitForResponse(clientRequest);
    expect(response.statusCode).toBe(422);
    expect(await text(response)).toContain('Idempotency-Key');
    expect(await newJobs()).toEqual([]);
  });

  it('without a valid API key answers 401 whatever its value', async () => {
    const anonymousClient = new Client(service.baseUrl, null);
    expectProblem(await create('/upload', '', '{"file_size": 1}', anonymousClient), 401, 'invalid_api_key');
  });

  it('is independent on each route', async () => {
    const key = newKey();
    expectStatus(200, await create('/upload', key, '{"file_size": 1}'));
    const otherRouteResponse = await create('/upload/multipart/create', key, '{"file_size": 1}');
    expect(isReplay(otherRouteResponse)).toBe(false);
    expectStatus(200, otherRouteResponse);
  });
});

describe('a killed API process', () => {
  it('during many creates makes one job for each, when they are repeated until answered', async () => {
    const creates = Array.from({ length: 60 }, (_, index) => {
      const path = index % 2 === 0 ? '/upload' : '/upload/multipart/create';
      return { path, key: newKey(), body: `{"file_size": ${index + 1}}` };
    });
    const send = ({ path, key, body }: (typeof creates)[number]) => create(path, key, body).catch(() => null);
    const responsesBeforeKill: (ApiResponse | null)[] = [];
    const sendRange = (from: number, to: number) =>
      creates
        .slice(from, to)
        .map(async (input, index) => void (responsesBeforeKill[from + index] = await send(input)));
    const sending = sendRange(0, creates.length / 2);
    await until('some are answered', () => responsesBeforeKill.some((response) => response?.status === 200));
    await whileJobsAreLocked(service, async () => {
      sending.push(...sendRange(creates.length / 2, creates.length));
      await waitUntilJobLockBlocks(service);
      await service.kill('api', 'SIGKILL');
      await Promise.all(sending);
    });
    await service.waitUntilReady();
    const jobIdsOfResponses: string[] = [];
    for (const [index, input] of creates.entries()) {
      const response = await until(`create ${index} gets a response`, async () => {
        const successful = await send(input);
        return successful?.status === 200 && successful;
      });
      if (responsesBeforeKill[index]?.status === 200)
        expect(response.text).toBe(responsesBeforeKill[index].text);
      jobIdsOfResponses.push((JSON.parse(response.text) as { job_id: string }).job_id);
    }
    const unanswered = responsesBeforeKill.filter((response) => response?.status !== 200);
    expect(unanswered.length).toBeGreaterThanOrEqual(creates.length / 2);
    expect([...(await newJobs())].sort()).toEqual([...jobIdsOfResponses].sort());
  });
});
