import { queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import {
  type OpenJobQuotaAmounts,
  MIN_UPLOAD_TOLERANCE_BYTES,
  type QuotaOverrides,
} from './account-quotas.js';

export interface OpenJobsUsageWithQuotaOverrides {
  usage: OpenJobQuotaAmounts;
  overrides: QuotaOverrides;
}

const STORED_BYTES_SQL = 'COALESCE(sum(stored_size) FILTER (WHERE queued_at IS NOT NULL), 0)::bigint';

/**
 * A single upload is signed for what `addToleranceToDeclaredUploadBytes` returns, each planned part of a multipart upload for
 * `part_size`, also the last one.
 */
const SELECT_USAGE = `
  SELECT account.quotas,
    count(job.id) FILTER (WHERE queued_at IS NULL AND upload_expires_at IS NOT NULL)::int AS "pendingUploads",
    COALESCE(sum(CASE source
        WHEN 'multipart' THEN LEAST($3::bigint, (declared_size + part_size - 1) / part_size * part_size)
        ELSE LEAST($2::bigint, declared_size + GREATEST(declared_size, ${MIN_UPLOAD_TOLERANCE_BYTES})) END)
      FILTER (WHERE queued_at IS NULL AND declared_size IS NOT NULL), 0)::bigint AS "pendingBytes",
    ${STORED_BYTES_SQL} AS "storedBytes",
    COALESCE(sum(octet_length(NULLIF(options->'custom_vocabulary', 'null')::text)), 0)::bigint AS "vocabularyBytes"
  FROM account LEFT JOIN job ON job.account_id = account.id AND job.status = 'processing'
  WHERE account.id = $1 GROUP BY account.id`;

/**
 * Reads the open jobs of the account, so callers keep the result for a while.
 * @returns null if the account does not exist
 */
export async function readOpenJobsUsageWithQuotaOverrides(
  db: DataSource | EntityManager,
  accountId: string,
  { uploadBytes, multipartBytes }: { uploadBytes: number; multipartBytes: number },
): Promise<OpenJobsUsageWithQuotaOverrides | null> {
  const [row] = await queryRows<OpenJobQuotaAmounts & { quotas: QuotaOverrides | null }>(db, SELECT_USAGE, [
    accountId,
    uploadBytes,
    multipartBytes,
  ]);
  if (!row) return null;
  const { quotas, ...usage } = row;
  return { usage, overrides: quotas ?? {} };
}

export interface StoredBytesQuotaUsage {
  /** Bytes of the stored audio of queued jobs. */
  storedBytes: number;
  /** Null for that of the settings. */
  quotaOverride: number | null;
  /** Open jobs whose audio has not been fetched. */
  waitingFetches: number;
}

/** @returns null if the account does not exist */
export async function readStoredBytesQuotaUsage(
  db: DataSource | EntityManager,
  accountId: string,
): Promise<StoredBytesQuotaUsage | null> {
  const [row] = await queryRows<StoredBytesQuotaUsage>(
    db,
    `SELECT (account.quotas->>'storedBytes')::bigint AS "quotaOverride",
       ${STORED_BYTES_SQL} AS "storedBytes",
       count(job.id) FILTER (WHERE audio_url IS NOT NULL AND stored_size IS NULL)::int AS "waitingFetches"
     FROM account LEFT JOIN job ON job.account_id = account.id AND job.status = 'processing'
     WHERE account.id = $1 GROUP BY account.id`,
    [accountId],
  );
  return row ?? null;
}

/** @returns those before */
export async function replaceQuotaOverrides(
  tx: EntityManager,
  accountId: string,
  overrides: QuotaOverrides,
): Promise<QuotaOverrides> {
  const [row] = await queryRows<{ quotas: QuotaOverrides | null }>(
    tx,
    'SELECT quotas FROM account WHERE id = $1 FOR UPDATE',
    [accountId],
  );
  const isEmpty = Object.keys(overrides).length === 0;
  await tx.query('UPDATE account SET quotas = $2 WHERE id = $1', [
    accountId,
    isEmpty ? null : JSON.stringify(overrides),
  ]);
  return row?.quotas ?? {};
}
