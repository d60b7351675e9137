/**
 * The minimal pipeline of three queues: BullMQ on Postgres or Redis with the settings of the service, in one process. A
 * consumer only adds the next message. On the message `{ jobs }` it replies when so many jobs have passed.
 */
import { randomUUID } from 'node:crypto';
import { createPostgresBackend, createRedisBackend, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { createQueuePool } from '../../dist/libs/jobs/src/index.js';

/** Concurrent messages per queue. */
const CONCURRENCY = { preprocess: 1, chunk: 2, aggregation: 2 };
const NAMES = Object.keys(CONCURRENCY);
/** Concurrent producers. */
const CALLERS = 16;
const OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };

const redis = process.env.REDIS_URL;
const factory = redis === undefined ? createPostgresBackend : createRedisBackend;
const pool = createQueuePool(process.env.DATABASE_URL);
const connection = () => (redis === undefined ? pool : new Redis(redis, { maxRetriesPerRequest: null }));
const prefix = redis === undefined ? 'bullmq' : 'bare';

const queues = NAMES.map((name) => new Queue(`bare-${name}`, { connection: connection(), prefix }, factory));
let left = 0;
let through = () => undefined;

NAMES.forEach((name, index) => {
  const next = queues[index + 1];
  const handle = async ({ id, data }) => {
    if (next) await next.add('delivery', data, { ...OPTIONS, jobId: `${id}-n` });
    else if ((left -= 1) === 0) through();
  };
  return new Worker(
    `bare-${name}`,
    handle,
    { connection: connection(), prefix, concurrency: CONCURRENCY[name] },
    factory,
  );
});

process.on('message', (asked) => void answer(asked));
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.send({ ready: true });

async function answer({ jobs }) {
  left = jobs;
  const done = new Promise((resolve) => (through = resolve));
  let open = jobs;
  const call = async () => {
    while ((open -= 1) >= 0) {
      const jobId = randomUUID();
      await queues[0].add('delivery', { jobId }, { ...OPTIONS, jobId });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  await done;
  process.send({ jobs });
}
