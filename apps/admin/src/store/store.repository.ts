import { Job, queryRows } from '@app/database';
import type { JobOptions } from '@app/jobs';
import type { DataSource } from 'typeorm';

const PAGE_SIZE = 500;

export interface QueuedOpenJob {
  id: string;
  options: JobOptions;
  audioKey: string;
  /** Null if the audio cannot be fetched again. */
  audioUrl: string | null;
  /** Keys of the chunks that are not recognised yet. */
  chunks: string[];
  isChunked: boolean;
  /** A stage runs under a valid lease. */
  isLeased: boolean;
}

export async function countJobsAndTranscripts(
  dataSource: DataSource,
): Promise<{ jobs: number; transcripts: number }> {
  const [counts] = await queryRows<{ jobs: number; transcripts: number }>(
    dataSource,
    'SELECT count(*) AS jobs, count(result_key) AS transcripts FROM job',
  );
  return counts ?? { jobs: 0, transcripts: 0 };
}

export function isJobOpen(dataSource: DataSource, jobId: string): Promise<boolean> {
  return dataSource.manager.existsBy(Job, { id: jobId, status: 'processing' });
}

/** Reads the queued jobs that have not ended. */
export function streamQueuedOpenJobs(dataSource: DataSource): AsyncGenerator<QueuedOpenJob> {
  return streamPages<QueuedOpenJob>(
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

export function streamJobsWithTranscriptKeys(
  dataSource: DataSource,
): AsyncGenerator<{ id: string; key: string }> {
  return streamPages(
    dataSource,
    `SELECT id, result_key AS key FROM job WHERE result_key IS NOT NULL AND id > $1 ORDER BY id LIMIT ${PAGE_SIZE}`,
  );
}

async function* streamPages<Row extends { id: string }>(
  dataSource: DataSource,
  select: string,
): AsyncGenerator<Row> {
  let after = '00000000-0000-0000-0000-000000000000';
  let rows: Row[];
  do {
    rows = await queryRows<Row>(dataSource, select, [after]);
    yield* rows;
    after = rows.at(-1)?.id ?? after;
  } while (rows.length === PAGE_SIZE);
}
