import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, Client } from './support/client.js';
import { expectProblem } from './support/problem.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

const ID = '0193a5c0-0000-7000-8000-000000000000';
const JSON_TYPE = { 'Content-Type': 'application/json' };

let service: RunningService;

beforeAll(async () => {
  service = await useSharedService('rateLimits');
});

const newCaller = async () => service.client((await service.openAccount(10)).api_key);
const parseKeyId = ({ apiKey }: Client) => apiKey?.split('_')[1] ?? '';
const sendRequest = (caller: Client, method: string, path: string) =>
  caller.send(method, `/api/v1${path}`, method === 'POST' ? { body: '{}', headers: JSON_TYPE } : {});
const readLimits = ({ headers }: ApiResponse) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) =>
    Number(headers.get(name) ?? 'NaN'),
  );

describe('§8 rate limits', () => {
  it('answer the first request over the limit with 429 and Retry-After, whatever it asks', async () => {
    const caller = await newCaller();
    const cancel = () => sendRequest(caller, 'POST', '/jobs/cancel');
    const admitted = await Promise.all(Array.from({ length: 30 }, cancel));
    expect(admitted.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 422));
    const rejected = await cancel();
    expectProblem(rejected, 429, 'rate_limit_exceeded');
    expect(readLimits(rejected).slice(0, 2)).toEqual([30, 0]);
    const wait = Number(rejected.headers.get('retry-after'));
    expect(wait).toBe(readLimits(rejected)[2]);
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
  });

  it('are counted per key, independent of other keys of the account', async () => {
    const { account_id, api_key } = await service.openAccount(10);
    const first = await service.client(api_key);
    const createdKey = await service.createKey(account_id);
    const second = await service.client(createdKey.api_key);
    for (let request = 0; request < 31; request += 1) await sendRequest(first, 'POST', '/jobs/cancel');
    expect((await sendRequest(first, 'POST', '/jobs/cancel')).status).toBe(429);
    expect((await sendRequest(second, 'POST', '/jobs/cancel')).status).toBe(422);
    expect((await sendRequest(first, 'GET', '/jobs')).status).toBe(200);
  });

  it('can be raised, lowered and reset for a key, effective at once', async () => {
    const caller = await newCaller();
    const setLimit = (...options: string[]) =>
      service.admin('keys', 'limit', parseKeyId(caller), '--route', 'jobs.list', ...options);
    const readLimit = async () => readLimits(await sendRequest(caller, 'GET', '/jobs'))[0];
    expect((await setLimit('--per-minute', '5000')).code).toBe(0);
    expect(await readLimit()).toBe(5_000);
    await setLimit('--per-minute', '2');
    expect(await readLimit()).toBe(2);
    expect((await sendRequest(caller, 'GET', '/jobs')).status).toBe(429);
    expect((await sendRequest(caller, 'GET', `/jobs/${ID}`)).status).toBe(404);
    await setLimit('--reset');
    expect(await readLimit()).toBe(120);
  });

  it.each([
    ['no route', ['--route', 'nothing', '--per-minute', '5'], /no route nothing/],
    ['no number', ['--route', 'jobs.list', '--per-minute', '0'], /must be a number/],
    ['no key', ['--route', 'jobs.list', '--per-minute', '5'], /no valid key nobody/],
  ])('the keys limit command rejects %s in one line', async (_, args, line) => {
    const { code, stderr } = await service.admin('keys', 'limit', 'nobody', ...args);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });

  it('do not count requests without a key or to public routes', async () => {
    const clientWithInvalidKey = new Client(service.baseUrl, 'zk_wrong');
    for (const response of [
      await sendRequest(clientWithInvalidKey, 'GET', '/jobs'),
      await clientWithInvalidKey.send('GET', '/health/live'),
    ])
      expect(response.headers.get('ratelimit-limit')).toBeNull();
  });

  it('are counted in the metrics', async () => {
    const { text } = await new Client(service.baseUrl, null).send('GET', '/metrics');
    expect(text).toMatch(/^zephyr_rate_limited_total\{limit="jobs.cancel",program="api"\} [1-9]/m);
  });
});
