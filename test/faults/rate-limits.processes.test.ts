import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { type PrivateRedis, startRedis } from '../support/redis.js';
import { Client } from '../e2e/support/client.js';
import { Program } from '../e2e/support/program.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';

const LIMIT = 20;
const REQUESTS = 1_000;
const FAIL_OPEN_TOTALS = /^zephyr_rate_limit_fail_open_total\{.*\} (\d+)$/gm;

/** Starts the service with a second API process. */
async function startTwoApis(env: Record<string, string>) {
  const service = await Service.start({ ...env, RATE_LIMIT_FACTOR: '1' });
  const port = await findFreePort();
  const second = Program.launch('api', [], { ...service.settings, PORT: String(port) }, service.logFile);
  await second.waitUntilReady();
  const stop = async () => {
    await second.stop();
    await service.stop();
  };
  return { service, baseUrls: [service.baseUrl, `http://127.0.0.1:${port}`], stop };
}

type TwoApis = Awaited<ReturnType<typeof startTwoApis>>;

const list = (caller: Client) => caller.send('GET', '/api/v1/jobs');

async function createLimitedKey({ service }: TwoApis): Promise<string> {
  const { api_key } = await service.openAccount(10);
  const limit = ['--route', 'jobs.list', '--per-minute', String(LIMIT)];
  const { code, stderr } = await service.admin('keys', 'limit', api_key.split('_')[1] ?? '', ...limit);
  expect(code, stderr).toBe(0);
  return api_key;
}

/** Requests that were admitted because they could not be counted in time, as on a machine with too much work. */
async function countUncounted({ baseUrls }: TwoApis): Promise<number> {
  const counts = baseUrls.map(async (baseUrl) => {
    const { text } = await new Client(baseUrl, null).send('GET', '/metrics');
    return [...text.matchAll(FAIL_OPEN_TOTALS)].reduce((sum, [, count]) => sum + Number(count), 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

async function expectExactLimit(apis: TwoApis): Promise<void> {
  const uncountedBefore = await countUncounted(apis);
  const key = await createLimitedKey(apis);
  const callers = apis.baseUrls.map((baseUrl) => new Client(baseUrl, key));
  const pendingResponses = Array.from({ length: REQUESTS / 2 }, () => callers.map(list)).flat();
  const statuses = (await Promise.all(pendingResponses)).map(({ status }) => status);
  const count = (status: number) => statuses.filter((other) => other === status).length;
  const uncounted = (await countUncounted(apis)) - uncountedBefore;
  expect(count(200) + count(429)).toBe(REQUESTS);
  expect(uncounted).toBeLessThan(REQUESTS / 2);
  expect(count(200)).toBeGreaterThanOrEqual(LIMIT);
  expect(count(200)).toBeLessThanOrEqual(LIMIT + uncounted);
}

describe('§8 rate limits over two API processes', () => {
  describe('counted in Postgres', () => {
    let two: TwoApis;
    beforeAll(async () => {
      two = await startTwoApis({});
    });
    afterAll(() => two?.stop());

    it('rate limits admit exactly the limit of many concurrent requests', () => expectExactLimit(two));
  });

  describe('counted in Redis', () => {
    let redis: PrivateRedis;
    let two: TwoApis;
    beforeAll(async () => {
      redis = await startRedis();
      two = await startTwoApis({ REDIS_URL: redis.url });
    });
    afterAll(async () => {
      await two?.stop();
      await redis?.stop();
    });

    it('rate limits admit exactly the limit of many concurrent requests', () => expectExactLimit(two));

    it('rate limits admit every request while Redis is unavailable, and count again afterwards', async () => {
      const caller = new Client(two.service.baseUrl, await createLimitedKey(two));
      await redis.stop();
      for (let request = 0; request < LIMIT + 5; request += 1) {
        const { status, headers } = await list(caller);
        expect([status, headers.get('ratelimit-limit')]).toEqual([200, null]);
      }
      const metrics = await new Client(two.service.baseUrl, null).send('GET', '/metrics');
      const [unchecked] = metrics.text.matchAll(FAIL_OPEN_TOTALS);
      expect(Number(unchecked?.[1])).toBeGreaterThanOrEqual(LIMIT + 5);
      await until('the log contains the message', async () =>
        (await two.service.log()).includes('rate limits cannot be counted'),
      );
      await redis.restart();
      await until('limits are counted again', async () =>
        (await list(caller)).headers.has('ratelimit-limit'),
      );
      await until('the log contains the message', async () =>
        (await two.service.log()).includes('rate limits are counted again'),
      );
    });
  });
});
