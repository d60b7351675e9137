import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { isoTimestampColumn } from '../iso-timestamp-column.js';
import { CommandError, formatTable } from '../output.js';

export interface JobRow {
  job_id: string;
  account_id: string;
  status: string;
  source: string;
  created_at: string;
  queued_at: string | null;
  finished_at: string | null;
  duration: number | null;
  steps_done: number;
  steps_total: number | null;
  failed_stage: string | null;
  reason: string | null;
}

export interface StageRow {
  name: string;
  state: string;
  attempts: number;
  fence: number;
  lease_until: string | null;
  last_error: string | null;
}

export interface JobDetails extends JobRow {
  stages: StageRow[];
  events: { seq: number; type: string; data: unknown }[];
}

export const SELECT_JOBS = `
  SELECT id AS job_id, account_id, status, source, ${isoTimestampColumn('created_at')}, ${isoTimestampColumn('queued_at')}, ${isoTimestampColumn('finished_at')},
         duration, steps_done, steps_total, failed_stage, reason
  FROM job`;

/** @throws CommandError when there is none. */
export async function requireJob(dataSource: DataSource, jobId: string): Promise<JobRow> {
  const [row] = isUuid(jobId)
    ? await queryRows<JobRow>(dataSource, `${SELECT_JOBS} WHERE id = $1`, [jobId])
    : [];
  if (!row) throw new CommandError(`There is no job ${jobId}.`);
  return row;
}

export async function loadJobDetails(dataSource: DataSource, jobId: string): Promise<JobDetails> {
  const job = await requireJob(dataSource, jobId);
  const stages = await queryRows<StageRow>(
    dataSource,
    `SELECT name, state, attempts, fence, ${isoTimestampColumn('lease_until')}, last_error FROM job_stage
     WHERE job_id = $1 ORDER BY queue = 'aggregation', queue = 'chunk', chunk_index`,
    [jobId],
  );
  const events = await queryRows<JobDetails['events'][number]>(
    dataSource,
    'SELECT seq, type, data FROM job_event WHERE job_id = $1 ORDER BY seq',
    [jobId],
  );
  return { ...job, stages, events };
}

export function formatJob({ stages, events, ...job }: JobDetails): string {
  const fields = Object.entries(job).map(([name, value]) => `${name.padEnd(13)} ${value ?? '-'}`);
  const stageRows = stages.map(({ name, state, attempts, fence, lease_until, last_error }) => [
    name,
    state,
    String(attempts),
    String(fence),
    lease_until ?? '-',
    last_error ?? '-',
  ]);
  const eventRows = events.map(({ seq, type, data }) => [String(seq), type, JSON.stringify(data)]);
  return [
    ...fields,
    '',
    formatTable(['STAGE', 'STATE', 'ATTEMPTS', 'FENCE', 'LEASE UNTIL', 'LAST ERROR'], stageRows),
    '',
    formatTable(['EVENT', 'TYPE', 'DATA'], eventRows),
  ].join('\n');
}
