import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiResponse, Client, expectStatus } from './support/client.js';
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
let poor: Client;
let before: Set<string>;

beforeAll(async () => {
  service = await Service.start({ IDEMPOTENCY_LEASE_SECONDS: String(LEASE_SECONDS) });
  client = await service.client();
  other = await service.client((await service.openAccount(1_000)).api_key);
  poor = await service.client((await service.openAccount(0)).api_key);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  before = new Set(await jobIds());
});

/** The jobs that the test created, newest first. */
async function newJobs(): Promise<string[]> {
  return (await jobIds()).filter((id) => !before.has(id));
}

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;
const withKey = (key: string) => ({ 'Idempotency-Key': key });

/** Creates a job with a key; the body is sent unchanged. */
function create(path: string, key: string, body: string, caller = client): Promise<ApiResponse> {
  const headers = { 'Content-Type': 'application/json', ...withKey(key) };
  return caller.send('POST', `/api/v1${path}`, { body, headers });
}

async function jobIds(caller = client): Promise<string[]> {
  const answer = await caller.send('GET', '/api/v1/jobs?limit=100');
  return expectStatus<{ jobs: { job_id: string }[] }>(200, answer).jobs.map(({ job_id }) => job_id);
}

function expectReused(answer: ApiResponse): void {
  const { errors } = expectProblem(answer, 422, 'idempotency_key_reused');
  expect(errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
}

function expectInProgress(answer: ApiResponse): void {
  expectProblem(answer, 409, 'idempotency_key_in_use');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

const isReplay = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';

describe.each([
  ['/upload', '{"file_size": 70000000, "nltk": false}', '{"nltk":false , "x": [1], "file_size":70000000}'],
  [
    '/upload/multipart/create',
    '{"file_size": 70000000, "output_type": "srt"}',
    '{"part_size":null,"output_type":"srt","file_size":70000000}',
  ],
])('§4.1, §4.4 POST %s with an Idempotency-Key', (path, body, same) => {
  it('a repeated request gets the first response byte for byte and creates no job', async () => {
    const key = newKey();
    const first = await create(path, key, body);
    expect(isReplay(first)).toBe(false);
    for (const repeated of [body, same]) {
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

  it('twenty concurrent requests create one job, and the others answer 409 with Retry-After', async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(path, key, body)));
    const successful = answers.filter(({ status }) => status === 200);
    for (const answer of answers) if (answer.status !== 200) expectInProgress(answer);
    expect(new Set(successful.map((answer) => answer.text)).size).toBe(1);
    expect((await create(path, key, body)).text).toBe(successful[0]?.text);
    expect(await newJobs()).toHaveLength(1);
  });

  it('the same key in another account is independent', async () => {
    const key = newKey();
    const [mine, theirs] = [await create(path, key, body), await create(path, key, body, other)];
    expect(isReplay(theirs)).toBe(false);
    expect(expectStatus<{ job_id: string }>(200, theirs).job_id).not.toBe(
      expectStatus<{ job_id: string }>(200, mine).job_id,
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
    const answer = await create(path, key, body);
    expect(isReplay(answer)).toBe(false);
    expectStatus(200, answer);
  });

  it('an account without credits gets 402 and the key stays free', async () => {
    const key = newKey();
    for (let times = 0; times < 2; times += 1)
      expectProblem(await create(path, key, body, poor), 402, 'insufficient_credits');
  });
});

describe('the Idempotency-Key header', () => {
  it.each(['', ' ', 'k'.repeat(256), 'caf\u00e9'])(
    'with the invalid value %j answers 422 and names the header',
    async (key) => {
      const answer = await create('/upload', key, '{"file_size": 1}');
      const { errors } = expectProblem(answer, 422, 'validation_failed');
      expect(errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
      expect(await newJobs()).toEqual([]);
    },
  );

  it('sent twice answers 422', async () => {
    const sent = request(`${service.baseUrl}/api/v1/upload`, {
      method: 'POST',
      headers: {
        'X-API-Key': client.apiKey ?? '',
        'Content-Type': 'application/json',
        'Idempotency-Key': ['one', 'one'],
      },
    });
    sent.end('{"file_size": 1}');
    const response = await waitForResponse(sent);
    expect(response.statusCode).toBe(422);
    expect(await text(response)).toContain('Idempotency-Key');
    expect(await newJobs()).toEqual([]);
  });

  it('without a valid API key answers 401 whatever its value', async () => {
    const stranger = new Client(service.baseUrl, null);
    expectProblem(await create('/upload', '', '{"file_size": 1}', stranger), 401, 'invalid_api_key');
  });

  it('is independent on each route', async () => {
    const key = newKey();
    expectStatus(200, await create('/upload', key, '{"file_size": 1}'));
    const elsewhere = await create('/upload/multipart/create', key, '{"file_size": 1}');
    expect(isReplay(elsewhere)).toBe(false);
    expectStatus(200, elsewhere);
  });
});

describe('a killed API process', () => {
  it('during many creates makes one job for each, when they are repeated until answered', async () => {
    const creates = Array.from({ length: 60 }, (_, at) => {
      const path = at % 2 === 0 ? '/upload' : '/upload/multipart/create';
      return { path, key: newKey(), body: `{"file_size": ${at + 1}}` };
    });
    const send = ({ path, key, body }: (typeof creates)[number]) => create(path, key, body).catch(() => null);
    const responsesBeforeKill: (ApiResponse | null)[] = [];
    const sending = creates.map(async (one, at) => void (responsesBeforeKill[at] = await send(one)));
    await until('some are answered', () => responsesBeforeKill.some((answer) => answer?.status === 200));
    await service.kill('api', 'SIGKILL');
    await Promise.all(sending);
    await service.untilReady();
    const answers: string[] = [];
    for (const [at, one] of creates.entries()) {
      const answer = await until(`create ${at} is answered`, async () => {
        const successful = await send(one);
        return successful?.status === 200 && successful;
      });
      if (responsesBeforeKill[at]?.status === 200) expect(answer.text).toBe(responsesBeforeKill[at].text);
      answers.push((JSON.parse(answer.text) as { job_id: string }).job_id);
    }
    const cut = responsesBeforeKill.filter((answer) => answer?.status !== 200).length;
    console.log(`${cut} of ${creates.length} creates were not answered when the process was killed`);
    expect([...(await newJobs())].sort()).toEqual([...answers].sort());
  });
});
