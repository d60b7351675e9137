import { buildAccountScopedQuery, type JobAudioSource, queryAccountRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** Jobs that one key created on one day, by kind. */
export interface UsageOfDayKeyAndAudioSource {
  /** UTC, `YYYY-MM-DD`. */
  day: string;
  /** Null for jobs that were created without a key. */
  keyId: string | null;
  keyName: string | null;
  source: JobAudioSource;
  created: number;
  completed: number;
  failed: number;
  /** Seconds of audio of the completed jobs. */
  audioSeconds: number;
  /** Credits charged so far. */
  charged: number;
}

/** A scan of the jobs of these days, along the unique index `job_account_created`. */
const USAGE_BY_DAY = buildAccountScopedQuery(
  'usage-by-day',
  `SELECT to_char(job.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
     job.api_key_id AS "keyId", api_key.name AS "keyName", job.source,
     count(*) AS created,
     count(*) FILTER (WHERE job.status = 'completed') AS completed,
     count(*) FILTER (WHERE job.status = 'failed') AS failed,
     COALESCE(round(sum(job.duration::numeric) FILTER (WHERE job.status = 'completed'), 3), 0)::float8 AS "audioSeconds",
     COALESCE(-sum(entry.amount), 0)::bigint AS charged
   FROM job
   LEFT JOIN api_key ON api_key.id = job.api_key_id
   LEFT JOIN credit_entry entry ON entry.job_id = job.id AND entry.kind = 'capture'
   WHERE job.account_id = $1 AND job.created_at >= $2 AND job.created_at < $3
   GROUP BY 1, 2, 3, 4
   ORDER BY 1, 2, 4`,
);

const DAY_MS = 86_400_000;
export const MAX_USAGE_DAYS = 92;

/**
 * By the days on which jobs were created; days without jobs are absent. Oldest first.
 * @param from midnight UTC of the first day @param days at most `MAX_USAGE_DAYS`
 */
export async function readUsageByDayKeyAndAudioSource(
  dataSource: DataSource,
  accountId: string,
  { from, days }: { from: Date; days: number },
): Promise<UsageOfDayKeyAndAudioSource[]> {
  if (days < 1 || days > MAX_USAGE_DAYS) throw new RangeError(`${days} is not from 1 to ${MAX_USAGE_DAYS}.`);
  const until = new Date(from.getTime() + days * DAY_MS);
  return queryAccountRows<UsageOfDayKeyAndAudioSource>(dataSource, accountId, USAGE_BY_DAY, [from, until]);
}
