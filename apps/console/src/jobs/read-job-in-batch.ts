import { type Job, listNewestJobs, readJob } from '../api/jobs.ts';

/** Reads that begin within it are one request. */
const GATHER_MS = 50;
/** Of an account's list. */
const MAX_LISTED_JOBS = 200;
/** From one read of a single job to the next: the reads of a user are limited. */
const SINGLE_READ_MS = 3_000;

interface Batch {
  size: number;
  listed: Promise<ReadonlyMap<string, Job>>;
}

/** By account, those that still gather reads. */
const batches = new Map<string, Batch>();
let nextSingleRead: Promise<unknown> = Promise.resolve();

/**
 * A page with many jobs reads all of them when it is opened. Several jobs are read with one request for the newest ones of
 * the account, and those that are not among them one after the other.
 * @throws as `requestJson`, or the reason of the signal
 */
export async function readJobInBatch(accountId: string, jobId: string, signal: AbortSignal): Promise<Job> {
  const jobs = await joinBatch(accountId);
  return jobs.get(jobId) ?? readInTurn(jobId, signal);
}

function joinBatch(accountId: string): Promise<ReadonlyMap<string, Job>> {
  const batch = batches.get(accountId) ?? openBatch(accountId);
  batch.size += 1;
  return batch.listed;
}

function openBatch(accountId: string): Batch {
  const close = async () => {
    await sleep(GATHER_MS);
    batches.delete(accountId);
    if (batch.size === 1) return new Map<string, Job>();
    // Others may have created some between them.
    const { jobs } = await listNewestJobs(Math.min(MAX_LISTED_JOBS, 2 * batch.size));
    return new Map(jobs.map((job) => [job.job_id, job]));
  };
  const batch: Batch = { size: 0, listed: close() };
  batches.set(accountId, batch);
  return batch;
}

function readInTurn(jobId: string, signal: AbortSignal): Promise<Job> {
  const turn = nextSingleRead;
  const read = turn.then(() => {
    signal.throwIfAborted();
    return { job: readJob(jobId), next: sleep(SINGLE_READ_MS) };
  });
  // Of a page that was left, nothing is read.
  nextSingleRead = read.then(({ next }) => next).catch(() => undefined);
  return read.then(({ job }) => job);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
