import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** Keys with other prefixes belong to other software. */
export const OBJECT_PREFIXES = ['audio/', 'work/', 'transcripts/'] as const;

export type ObjectPrefix = (typeof OBJECT_PREFIXES)[number];

/**
 * `keep`: a row needs it. `delete`: a row marks it as unneeded. `intake`: its request may still be storing
 * it. `orphan`: it has no row.
 */
export type StoredObjectCleanupDecision = 'keep' | 'delete' | 'intake' | 'orphan';

/** `given.key` is a key under the prefix; `job` and `intake` are the rows of its job. */
const VERDICT_SQL: Record<ObjectPrefix, string> = {
  'audio/': `CASE
    WHEN job.id IS NOT NULL THEN CASE WHEN job.audio_deleted_at IS NULL THEN 'keep' ELSE 'delete' END
    WHEN intake.job_id IS NOT NULL THEN 'intake'
    ELSE 'orphan' END`,
  'work/': `CASE
    WHEN job.id IS NULL THEN 'orphan'
    WHEN job.audio_deleted_at IS NULL THEN 'keep'
    ELSE 'delete' END`,
  // Each fence has its folder (f1, f2, …); the row of the job names the published one.
  'transcripts/': `CASE
    WHEN job.id IS NULL THEN 'orphan'
    WHEN job.audio_deleted_at IS NULL THEN 'keep'
    WHEN job.status <> 'completed' THEN 'orphan'
    WHEN job.result_key IS NULL THEN 'delete'
    ELSE CASE sign(${fenceOfKeySql('given.key')} - ${fenceOfKeySql('job.result_key')})
      WHEN 0 THEN 'keep' WHEN -1 THEN 'delete' ELSE 'orphan' END END`,
};

function fenceOfKeySql(key: string): string {
  return `substring(split_part(${key}, '/', 3) FROM '^f(\\d{1,9})$')::integer`;
}

/** @param keys under the prefix, each with a job id (`parseJobIdFromKey`) */
export async function classifyStoredObjects(
  dataSource: DataSource,
  prefix: ObjectPrefix,
  keys: readonly string[],
): Promise<Map<string, StoredObjectCleanupDecision>> {
  if (keys.length === 0) return new Map();
  const rows = await queryRows<{ key: string; verdict: StoredObjectCleanupDecision }>(
    dataSource,
    `SELECT given.key, ${VERDICT_SQL[prefix]} AS verdict FROM unnest($1::text[]) AS given (key)
     LEFT JOIN job ON job.id = split_part(given.key, '/', 2)::uuid
     LEFT JOIN audio_intake intake ON intake.job_id = split_part(given.key, '/', 2)::uuid`,
    [keys],
  );
  return new Map(rows.map((row) => [row.key, row.verdict]));
}

export async function isJobOrIntakeKnown(dataSource: DataSource, jobId: string): Promise<boolean> {
  const rows = await queryRows(
    dataSource,
    'SELECT id FROM job WHERE id = $1 UNION ALL SELECT job_id FROM audio_intake WHERE job_id = $1',
    [jobId],
  );
  return rows.length > 0;
}
