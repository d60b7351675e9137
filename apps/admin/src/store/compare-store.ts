import { queryRows } from '@app/database';
import {
  buildDocumentKeyBeside,
  findExistingJobIds,
  parseJobId,
  type JobOptions,
  OBJECT_PREFIXES,
  type StoredTranscript,
  buildTranscriptPrefix,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { findStoredTranscript } from './find-stored-transcript.js';

const PAGE_SIZE = 500;

export interface StoreComparison {
  /** Open jobs whose finished transcript lies in the store, and that transcript. */
  finished: Map<string, StoredTranscript>;
  /** Open jobs that a processor is at work on: they are left to it. */
  inProgress: string[];
  /** Open jobs that go on: everything that their next stages need is there, or can be made again. */
  continuing: string[];
  /** Open jobs whose audio is gone: they will fail, and say so. */
  audioMissing: string[];
  /** Completed jobs whose transcript is not in the store: its download answers 404. */
  transcriptMissing: string[];
  /** Jobs that the store has objects of and the database does not know: they are left alone. */
  withoutRow: { jobs: string[]; objects: number };
}

interface OpenJob {
  id: string;
  options: JobOptions;
  audioKey: string;
  /** Not null where the audio can be fetched again. */
  audioUrl: string | null;
  /** Keys of the chunks that are not recognised yet. */
  chunks: string[];
  isChunked: boolean;
  /** Under a lease that has not run out. */
  isLeased: boolean;
}

/**
 * Compares all rows with the store, and changes neither. Programs may run meanwhile: what one of the two is found to lack
 * is looked for once more, as it may have come, or its job ended, between the readings.
 */
export async function compareStore(dataSource: DataSource, store: ObjectStore): Promise<StoreComparison> {
  const { stored, withoutRow } = await listStoredObjects(dataSource, store);
  const comparison: StoreComparison = {
    ...{ finished: new Map(), inProgress: [], continuing: [], audioMissing: [], withoutRow },
    transcriptMissing: await findMissingTranscripts(dataSource, store, stored),
  };
  for await (const job of openJobs(dataSource)) {
    if (job.isLeased) {
      comparison.inProgress.push(job.id);
      continue;
    }
    const transcript = await findStoredTranscript(store, job.id, job.options);
    if (transcript !== null) comparison.finished.set(job.id, transcript);
    else if (await canContinue(store, job)) comparison.continuing.push(job.id);
    else if (await isOpen(dataSource, job.id)) comparison.audioMissing.push(job.id);
  }
  return comparison;
}

/** @returns the keys of transcripts, of which there may be millions, without what they have in common */
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
      const jobId = parseJobId(key);
      if (jobId !== null) batch.push(jobId);
      if (batch.length === PAGE_SIZE) await countUnknownJobs();
    }
  }
  await countUnknownJobs();
  return { stored, withoutRow: { jobs: [...withoutRow.jobs], objects: withoutRow.objects } };
}

/** @param stored as they were listed, before the rows are read: of a job that completed since, they are looked for again */
async function findMissingTranscripts(
  dataSource: DataSource,
  store: ObjectStore,
  stored: ReadonlySet<string>,
): Promise<string[]> {
  const prefix = buildTranscriptPrefix('').slice(0, -1);
  const gone: string[] = [];
  const completed = readPages<{ id: string; key: string }>(
    dataSource,
    `SELECT id, result_key AS key FROM job WHERE result_key IS NOT NULL AND id > $1 ORDER BY id LIMIT ${PAGE_SIZE}`,
  );
  for await (const { id, key } of completed) {
    const unlisted = [key, buildDocumentKeyBeside(key)].filter(
      (each) => !stored.has(each.slice(prefix.length)),
    );
    const found = await Promise.all(unlisted.map((each) => store.head(each)));
    if (found.includes(null)) gone.push(id);
  }
  return gone;
}

function openJobs(dataSource: DataSource): AsyncGenerator<OpenJob> {
  return readPages<OpenJob>(
    dataSource,
    `SELECT id, options, audio_key AS "audioKey", audio_url AS "audioUrl",
       EXISTS (SELECT FROM job_stage WHERE job_id = id AND name = 'preprocess' AND state = 'done') AS "isChunked",
       EXISTS (SELECT FROM job_stage
               WHERE job_id = id AND state = 'running' AND lease_until > now()) AS "isLeased",
       ARRAY(SELECT input->>'key' FROM job_stage
             WHERE job_id = id AND queue = 'chunk' AND state IN ('pending', 'running')) AS chunks
     FROM job WHERE status = 'processing' AND queued_at IS NOT NULL AND id > $1 ORDER BY id LIMIT ${PAGE_SIZE}`,
  );
}

/** A chunk that is gone is cut again from the audio; what was recognised is in the rows. */
async function canContinue(store: ObjectStore, job: OpenJob): Promise<boolean> {
  if (job.audioUrl !== null || (await store.head(job.audioKey)) !== null) return true;
  if (!job.isChunked) return false;
  for (const key of job.chunks) if ((await store.head(key)) === null) return false;
  return true;
}

async function isOpen(dataSource: DataSource, jobId: string): Promise<boolean> {
  const rows = await queryRows(dataSource, `SELECT FROM job WHERE id = $1 AND status = 'processing'`, [
    jobId,
  ]);
  return rows.length > 0;
}

async function* readPages<T extends { id: string }>(
  dataSource: DataSource,
  select: string,
): AsyncGenerator<T> {
  for (let after = '00000000-0000-0000-0000-000000000000', more = true; more;) {
    const rows = await queryRows<T>(dataSource, select, [after]);
    yield* rows;
    after = rows.at(-1)?.id ?? after;
    more = rows.length === PAGE_SIZE;
  }
}
