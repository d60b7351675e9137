import { migrateQueueSchema } from '@app/jobs';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';
import { NestQueue } from '../support/nest-queue.js';
import { NullPipeline } from '../support/null-pipeline.js';
import { type PrivateRedis, startRedis } from '../support/redis.js';

/** Jobs or chunks that may precede those of the later job. */
const MAX_JOBS_BEFORE = 12;
const ALL_ENDED_MS = 60_000;

interface Sizes {
  /** Number of jobs that one account submits. */
  jobs: number;
  /** Number of chunks of a long recording. */
  chunks: number;
  /** Whether to wait until every job has ended. */
  untilAllEnded: boolean;
}

/** Jobs that follow many others pass through real queues and stages that do nothing. */
export function describeFairScheduling(
  kind: 'postgres' | 'redis',
  { jobs, chunks, untilAllEnded }: Sizes,
): void {
  describe(`fair scheduling with the queue on ${kind}`, () => {
    let world: World;
    let redis: PrivateRedis | undefined;
    let pipeline: NullPipeline;
    let other: string;
    let warnings: string[];

    beforeEach(async () => {
      world = await createJobWorld({ credits: 1_000_000 });
      other = await world.newAccount();
      warnings = [];
      const logger = { warn: (message: string) => void warnings.push(message) };
      if (kind === 'redis') redis = await startRedis();
      else await prepareQueue(world.url);
      const server = redis
        ? { kind: 'redis' as const, url: redis.url }
        : { kind: 'postgres' as const, connection: world.url };
      pipeline = new NullPipeline(world, new NestQueue({ ...server, logger }), logger);
    });
    afterEach(async () => {
      await pipeline?.stop();
      await redis?.stop();
      await world?.close();
    });

    /** Fails with the open stages and the warnings of the queue. */
    const waitUntilAllEnded = () =>
      expect
        .poll(
          async () => {
            const openStages = await describeOpenStages();
            return openStages.length > 0 ? [...openStages, ...warnings].join('\n') : '';
          },
          { timeout: ALL_ENDED_MS },
        )
        .toBe('');

    it(`a new job ends among the first few although another account submitted ${jobs} before`, async () => {
      const many: string[] = [];
      for (let from = 0; from < jobs; from += 20)
        many.push(
          ...(await Promise.all(Array.from({ length: 20 }, () => pipeline.submit(world.accountId, 1)))),
        );
      // Holds the other jobs until the new one is queued.
      const heldPreprocess = pipeline.hold('preprocess');
      await pipeline.start();
      await expect.poll(() => countStarted(many), { timeout: 60_000 }).toBeGreaterThan(0);
      const id = await pipeline.submit(other, 1);
      heldPreprocess.resolve();
      await expect.poll(() => countCompleted([id]), { timeout: 60_000 }).toBe(1);
      const endedMeanwhile = await countEndedMeanwhile(id);
      console.log(
        `${kind}: ${endedMeanwhile} of ${jobs} jobs ended while the job of another account was queued or processed`,
      );
      expect(endedMeanwhile).toBeLessThan(MAX_JOBS_BEFORE);
      // Compares times in rows, because all jobs may have ended before this read.
      expect(await countEndedUntil(id, many)).toBeLessThan(jobs);
      if (untilAllEnded) await waitUntilAllEnded();
    });

    it(`a short recording overtakes one of ${chunks} chunks, of the same or another account`, async () => {
      await pipeline.start();
      const long = await pipeline.submit(world.accountId, chunks);
      await expect.poll(() => countDoneChunks(long), { timeout: 60_000 }).toBeGreaterThan(chunks / 50);
      const heldChunks = pipeline.hold('chunk');
      const short = await Promise.all([other, world.accountId].map((of) => pipeline.submit(of, 2)));
      await expect.poll(() => countOpenChunks(short), { timeout: 60_000 }).toBe(4);
      const before = await countStartedChunks(long);
      heldChunks.resolve();
      await expect.poll(() => countCompleted(short), { timeout: 60_000 }).toBe(2);
      const overtaken = (await countChunksClaimedBefore(long, short)) - before;
      console.log(
        `${kind}: ${overtaken} of ${chunks} chunks of a long recording were claimed before the last chunk of two short ones`,
      );
      expect(overtaken).toBeLessThan(MAX_JOBS_BEFORE);
      expect(before + overtaken).toBeLessThan(chunks);
      // Compares times in rows.
      expect(await hasEndedBefore(long, short)).toBe(false);
      if (untilAllEnded) await waitUntilAllEnded();
    });

    const describeOpenStages = async () =>
      (
        await world.rows<Record<string, unknown>>(
          `SELECT name, state, attempts, fence, due_at <= now() AS due, lease_until, last_error,
             (SELECT json_agg(outbox) FROM outbox) AS outbox
           FROM job LEFT JOIN job_stage ON job_id = id WHERE status = 'processing'`,
        )
      ).map((stage) => JSON.stringify(stage));
    const countCompleted = async (ids: string[]) =>
      (await world.rows(`SELECT FROM job WHERE id = ANY($1::uuid[]) AND status = 'completed'`, ids)).length;
    const countStarted = async (ids: string[]) =>
      (
        await world.rows(
          `SELECT FROM job_stage WHERE job_id = ANY($1::uuid[]) AND started_at IS NOT NULL`,
          ids,
        )
      ).length;
    const countDoneChunks = async (id: string) =>
      (await world.rows(`SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND state = 'done'`, id))
        .length;
    const countOpenChunks = async (ids: string[]) =>
      (
        await world.rows(
          `SELECT FROM job_stage WHERE job_id = ANY($1::uuid[]) AND queue = 'chunk' AND state <> 'done'`,
          ids,
        )
      ).length;
    const countStartedChunks = async (id: string) =>
      (
        await world.rows(
          `SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND started_at IS NOT NULL`,
          id,
        )
      ).length;
    /** Number of chunks of a job that were claimed before the last chunk of other jobs. */
    const countChunksClaimedBefore = async (id: string, others: string[]) =>
      (
        await world.rows(
          `SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk' AND started_at <
             (SELECT max(started_at) FROM job_stage WHERE job_id = ANY($2::uuid[]) AND queue = 'chunk')`,
          id,
          others,
        )
      ).length;
    /** Number of other jobs that had ended when a job ended. */
    const countEndedUntil = async (id: string, others: string[]) =>
      (
        await world.rows(
          `SELECT FROM job WHERE id = ANY($2::uuid[]) AND finished_at <= (SELECT finished_at FROM job WHERE id = $1)`,
          id,
          others,
        )
      ).length;
    /** Whether a job ended before the last of other jobs. */
    const hasEndedBefore = async (id: string, others: string[]) =>
      (
        await world.rows(
          `SELECT FROM job WHERE id = $1 AND finished_at < (SELECT max(finished_at) FROM job WHERE id = ANY($2::uuid[]))`,
          id,
          others,
        )
      ).length > 0;
    /** Number of jobs that ended between the queueing of a job and its end. */
    const countEndedMeanwhile = async (id: string) =>
      (
        await world.rows(
          `SELECT FROM job, job late WHERE late.id = $1 AND job.finished_at BETWEEN late.queued_at AND late.finished_at`,
          id,
        )
      ).length;
  });
}

async function prepareQueue(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url });
  await migrateQueueSchema(pool);
  await pool.end();
}
