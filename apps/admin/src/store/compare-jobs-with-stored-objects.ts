import {
  buildDocumentKeyFromResultKey,
  findExistingJobIds,
  parseJobIdFromKey,
  OBJECT_PREFIXES,
  type StoredTranscript,
  buildTranscriptPrefix,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { findStoredTranscript } from './find-stored-transcript.js';
import {
  isJobOpen,
  type QueuedOpenJob,
  streamQueuedOpenJobs,
  streamJobsWithTranscriptKeys,
} from './store.repository.js';

const BATCH_SIZE = 500;

export interface JobStorageComparison {
  /** Open jobs whose finished transcript is in the store, by job id. */
  finished: Map<string, StoredTranscript>;
  /** Open jobs under a valid lease; they stay unchanged. */
  inProgress: string[];
  /** Open jobs whose next stages have their input, or can make it again. */
  continuing: string[];
  /** Open jobs without audio, which will fail. */
  audioMissing: string[];
  /** Completed jobs without a stored transcript; their downloads return 404. */
  transcriptMissing: string[];
  /** Jobs with objects but without a row; their objects stay. */
  withoutRow: { jobs: string[]; objects: number };
}

/** Changes nothing. Programs may run meanwhile, so whatever seems missing is read a second time. */
export async function compareJobsWithStoredObjects(
  dataSource: DataSource,
  store: ObjectStore,
): Promise<JobStorageComparison> {
  const { stored, withoutRow } = await listStoredObjects(dataSource, store);
  const comparison: JobStorageComparison = {
    ...{ finished: new Map(), inProgress: [], continuing: [], audioMissing: [], withoutRow },
    transcriptMissing: await findMissingTranscripts(dataSource, store, stored),
  };
  for await (const job of streamQueuedOpenJobs(dataSource)) {
    if (job.isLeased) {
      comparison.inProgress.push(job.id);
      continue;
    }
    const transcript = await findStoredTranscript(store, job.id, job.options);
    if (transcript !== null) comparison.finished.set(job.id, transcript);
    else if (await canContinue(store, job)) comparison.continuing.push(job.id);
    else if (await isJobOpen(dataSource, job.id)) comparison.audioMissing.push(job.id);
  }
  return comparison;
}

/** @returns the keys of transcripts without their prefix, as there may be millions */
async function listStoredObjects(dataSource: DataSource, store: ObjectStore) {
  const stored = new Set<string>();
  const withoutRow = { jobs: new Set<string>(), objects: 0 };
  let batch: string[] = [];
  const countUnknownJobs = async () => {
    const known = await findExistingJobIds(dataSource, batch);
    for (const id of batch) {
      if (known.has(id)) continue;
      withoutRow.jobs.add(id);
      withoutRow.objects += 1;
    }
    batch = [];
  };
  for (const prefix of OBJECT_PREFIXES) {
    for await (const { key } of store.list(prefix)) {
      if (prefix === buildTranscriptPrefix('').slice(0, -1)) stored.add(key.slice(prefix.length));
      const jobId = parseJobIdFromKey(key);
      if (jobId !== null) batch.push(jobId);
      if (batch.length === BATCH_SIZE) await countUnknownJobs();
    }
  }
  await countUnknownJobs();
  return { stored, withoutRow: { jobs: [...withoutRow.jobs], objects: withoutRow.objects } };
}

/** @param stored listed before the rows are read: transcripts of jobs that completed since are looked up in the store */
async function findMissingTranscripts(
  dataSource: DataSource,
  store: ObjectStore,
  stored: ReadonlySet<string>,
): Promise<string[]> {
  const prefix = buildTranscriptPrefix('').slice(0, -1);
  const missing: string[] = [];
  for await (const { id, key } of streamJobsWithTranscriptKeys(dataSource)) {
    const unlisted = [key, buildDocumentKeyFromResultKey(key)].filter(
      (each) => !stored.has(each.slice(prefix.length)),
    );
    const found = await Promise.all(unlisted.map((each) => store.head(each)));
    if (found.includes(null)) missing.push(id);
  }
  return missing;
}

/** Missing chunks are split again from the audio; recognised chunks are in the rows. */
async function canContinue(store: ObjectStore, job: QueuedOpenJob): Promise<boolean> {
  if (job.audioUrl !== null || (await store.head(job.audioKey)) !== null) return true;
  if (!job.isChunked) return false;
  for (const key of job.chunks) if ((await store.head(key)) === null) return false;
  return true;
}
