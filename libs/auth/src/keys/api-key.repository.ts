import { queryPrepared, queryRows, Account } from '@app/database';
import { type DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import type { RateLimitName, RateLimitOverrides } from '../rate-limits/route-limits.js';

export interface KeyWithAccount {
  id: string;
  accountId: string;
  hash: Buffer;
  limitOverrides: RateLimitOverrides | null;
  suspended: boolean;
}

const FIND_KEYS = {
  name: 'api-key',
  text: `SELECT key.id, key.account_id AS "accountId", key.hash, key.rate_limits AS "limitOverrides", account.suspended_at IS NOT NULL AS suspended
         FROM api_key key JOIN account ON account.id = key.account_id
         WHERE key.id = ANY($1) AND key.revoked_at IS NULL`,
};
const FIND_VALID_KEY_IDS = {
  name: 'valid-api-keys',
  text: `SELECT key.id FROM api_key key JOIN account ON account.id = key.account_id
         WHERE key.id = ANY($1) AND key.revoked_at IS NULL AND account.suspended_at IS NULL`,
};

/** In the order of the ids; undefined for an unknown or revoked key. */
export async function findKeysWithAccountByIds(
  db: EntityManager,
  ids: readonly string[],
): Promise<(KeyWithAccount | undefined)[]> {
  const rows = await queryPrepared<KeyWithAccount>(db, FIND_KEYS, [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

export async function findValidKeyIds(db: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const rows = await queryPrepared<{ id: string }>(db, FIND_VALID_KEY_IDS, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Applies from the next request on. @param perMinute requests per minute; null for the default
 * @returns the overrides of the key after the change; null if the key is unknown or revoked
 */
export async function setRateLimitOverride(
  dataSource: DataSource,
  keyId: string,
  name: RateLimitName,
  perMinute: number | null,
): Promise<RateLimitOverrides | null> {
  const [row] = await queryRows<{ limits: RateLimitOverrides | null }>(
    dataSource,
    `UPDATE api_key SET rate_limits = NULLIF(
       jsonb_strip_nulls(COALESCE(rate_limits, '{}') || jsonb_build_object($2::text, $3::integer)), '{}')
     WHERE id = $1 AND revoked_at IS NULL RETURNING rate_limits AS limits`,
    [keyId, name, perMinute],
  );
  return row ? (row.limits ?? {}) : null;
}

/**
 * Suspension rejects the keys of the account, but does not affect jobs and signed URLs.
 * @returns false if nothing changed: the account is unknown or already in that state
 */
export async function setAccountSuspended(
  { manager }: Pick<DataSource, 'manager'>,
  accountId: string,
  suspended: boolean,
): Promise<boolean> {
  const changed = await manager.update(
    Account,
    { id: accountId, suspendedAt: suspended ? IsNull() : Not(IsNull()) },
    { suspendedAt: suspended ? () => 'now()' : null },
  );
  return changed.affected === 1;
}
