/**
 * The minimal pipeline of three queues: BullMQ on Postgres or Redis with the settings of the service, in one process. A
 * consumer only adds the next message. On the message `{ jobs }` it replies when that many jobs have passed all queues.
 */
import { randomUUID } from 'node:crypto';
import { createPostgresBackend, createRedisBackend, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { createQueuePool } from '../../dist/libs/jobs/src/index.js';

/** Concurrent messages per queue. */
const CONCURRENCY = { preprocess: 1, chunk: 2, aggregation: 2 };
const NAMES = Object.keys(CONCURRENCY);
/** Concurrent producers. */
const PRODUCERS = 16;
const OPTIONS = { attempts: 1, removeOnComplete: true, removeOnFail: true };

const redis = process.env.REDIS_URL;
const factory = redis === undefined ? createPostgresBackend : createRedisBackend;
const pool = createQueuePool(process.env.DATABASE_URL);
const createConnection = () =>
  redis === undefined ? pool : new Redis(redis, { maxRetriesPerRequest: null });
const prefix = redis === undefined ? 'bullmq' : 'bare';

const queues = NAMES.map(
  (name) => new Queue(`bare-${name}`, { connection: createConnection(), prefix }, factory),
);
let pendingCount = 0;
let resolveAll = () => undefined;

NAMES.forEach((name, index) => {
  const next = queues[index + 1];
  const handle = async ({ id, data }) => {
    if (next) await next.add('delivery', data, { ...OPTIONS, jobId: `${id}-n` });
    else if ((pendingCount -= 1) === 0) resolveAll();
  };
  return new Worker(
    `bare-${name}`,
    handle,
    { connection: createConnection(), prefix, concurrency: CONCURRENCY[name] },
    factory,
  );
});

process.on('message', (message) => void runJobs(message));
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.send({ ready: true });

async function runJobs({ jobs }) {
  pendingCount = jobs;
  const done = new Promise((resolve) => (resolveAll = resolve));
  let unsentCount = jobs;
  const addJobs = async () => {
    while ((unsentCount -= 1) >= 0) {
      const jobId = randomUUID();
      await queues[0].add('delivery', { jobId }, { ...OPTIONS, jobId });
    }
  };
  await Promise.all(Array.from({ length: PRODUCERS }, addJobs));
  await done;
  process.send({ jobs });
}
