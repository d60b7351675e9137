import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QueueUnavailableError } from '../../libs/jobs/src/queue/queue-message.js';
import {
  WAIT_FOR_OPTIONS,
  type TestQueueServer,
} from '../../libs/jobs/src/queue/contract-support.contract.js';
import { describeStageQueueContract } from '../../libs/jobs/src/queue/queue.contract.js';
import { NestQueue } from '../support/nest-queue.js';
import { createQueueStore } from '../support/queue-store.js';
import { type PrivateRedis, startRedis } from '../support/redis.js';
import { parseEndpoint, startFaultProxy, urlThroughProxy } from '../support/fault-proxy.js';

describe('the job queue on Redis', () => {
  let redis: PrivateRedis;
  let admin: Redis;
  let created: { store: TestQueueServer; remove(): Promise<void> };
  let isStopped = false;

  beforeAll(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url, { retryStrategy: (attempt) => Math.min(50 * attempt, 500) });
    admin.on('error', () => {});
    created = await createQueueStore(
      { kind: 'redis', url: redis.url },
      {
        clear: async () => void (await admin.flushall()),
        makeUnavailable: async () => {
          isStopped = true;
          await redis.stop();
        },
        freeze: async () => redis.freeze(),
        thaw: async () => redis.thaw(),
        makeAvailable: async () => {
          if (isStopped) await redis.restart();
          isStopped = false;
        },
      },
    );
  });
  afterAll(async () => {
    admin.disconnect();
    await created.remove();
    await redis.stop();
  });

  describeStageQueueContract('Redis', () => created.store);

  it('a consumer continues after all data was wiped', async () => {
    const queue = created.store.open();
    const seen: string[] = [];
    await queue.consume('preprocess', 2, async ({ jobId }) => void seen.push(jobId));
    await queue.add([{ queue: 'preprocess', id: 'a-1', payload: { jobId: 'before' } }]);
    await vi.waitFor(() => expect(seen).toEqual(['before']), WAIT_FOR_OPTIONS);
    await admin.flushall();
    await queue.add([{ queue: 'preprocess', id: 'a-1', payload: { jobId: 'after' } }]);
    await vi.waitFor(() => expect(seen).toEqual(['before', 'after']), WAIT_FOR_OPTIONS);
    await queue.close();
  });

  it('a queue recovers after its connections fell silent', async () => {
    const proxy = await startFaultProxy(parseEndpoint(redis.url));
    const logger = { warn: () => {} };
    const queue = new NestQueue({
      kind: 'redis',
      url: urlThroughProxy(proxy, redis.url),
      logger,
      timings: { callTimeoutMs: 1_500 },
    });
    const add = (id: string) => queue.add([{ queue: 'preprocess', id, payload: { jobId: id } }]);
    await add('a-before');
    proxy.dropTraffic();
    await expect(add('a-lost')).rejects.toThrow(QueueUnavailableError);
    await vi.waitFor(() => add('a-after'), WAIT_FOR_OPTIONS);
    await queue.close();
    proxy.close();
  });

  it('a queue on a database that the server does not have is unavailable, and uses no other one', async () => {
    await admin.flushall();
    const warn = vi.fn();
    const queue = new NestQueue({ kind: 'redis', url: `${redis.url}/99`, logger: { warn } });
    await queue.consume('preprocess', 1, async () => {});
    const add = () => queue.add([{ queue: 'preprocess', id: 'a-1', payload: { jobId: 'x' } }]);
    await expect(add()).rejects.toThrow(QueueUnavailableError);
    await vi.waitFor(
      () => expect(warn).toHaveBeenCalledWith(expect.stringContaining('DB index is out of range')),
      WAIT_FOR_OPTIONS,
    );
    await expect(add()).rejects.toThrow(QueueUnavailableError);
    expect(await admin.keys('*')).toEqual([]);
    await queue.close();
  });

  it('services with different prefixes do not share messages', async () => {
    const logger = { warn: () => {} };
    const firstQueue = new NestQueue({ kind: 'redis', url: redis.url, prefix: 'ours', logger });
    const secondQueue = new NestQueue({ kind: 'redis', url: redis.url, prefix: 'theirs', logger });
    await firstQueue.add([{ queue: 'preprocess', id: 'a-1', payload: { jobId: 'x' } }]);
    expect(await firstQueue.counts('preprocess')).toEqual({ waiting: 1, active: 0 });
    expect(await secondQueue.counts('preprocess')).toEqual({ waiting: 0, active: 0 });
    await Promise.all([firstQueue.close(), secondQueue.close()]);
  });
});
