import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, silentWav, synthesizeSpeech } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { expectContiguous, followThroughDisconnects } from '../e2e/support/events.js';
import { until } from '../e2e/support/until.js';
import { System } from './support/system.js';

const ENDED_MS = 90_000;

const EMPTY_QUEUE = {
  redis: async ({ dependencies }: System) => {
    const redis = new Redis(dependencies.redis?.url ?? '');
    await redis.flushall();
    redis.disconnect();
  },
  postgres: async (system: System) => {
    await system.queryRows('TRUNCATE bullmq.job, bullmq.event, bullmq.meta CASCADE');
  },
};

describe.each(['redis', 'postgres'] as const)('a queue in %s that loses all messages', (queue) => {
  let system: System;
  let client: Client;
  let speech: Bytes;

  beforeAll(async () => {
    const env = { CHUNK_SECONDS: '5', CHUNK_MAX_SECONDS: '10', SMALL_FILE_BYTES: '1024' };
    system = await System.start({ queue, apis: 1, processors: 2, env });
    client = await system.client();
    speech = await synthesizeSpeech('There are ninety tables between the office and the bridge. '.repeat(4));
  });
  afterAll(() => system?.stop());

  it('every job completes with one result per stage when messages are lost at every stage', async () => {
    const created = [];
    let emptied = 0;
    const emptyQueue = async () => {
      // A truncation may deadlock with a statement of the queue and then fails.
      await until('the queue is emptied', () => EMPTY_QUEUE[queue](system).then(() => true));
      emptied += 1;
    };
    for (const bytes of [speech, silentWav(1), silentWav(2)]) {
      created.push(await client.submit(bytes));
      await emptyQueue();
    }
    const [long] = created;
    const events = await followThroughDisconnects(client, long?.job_id ?? '', emptyQueue, ENDED_MS);
    expectContiguous(events);
    expect(emptied).toBe(created.length + events.length);
    await system.waitUntilAllEnded(ENDED_MS);
    for (const { job_id } of created) expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    expect(await system.findInvariantViolations()).toEqual([]);
  });
});
