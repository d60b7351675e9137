import {
  Account,
  ApiKey,
  buildAccountScopedQuery,
  loadAccountMemberLookup,
  type MemberIdentity,
  queryAccountRows,
  queryPrepared,
  queryRows,
} from '@app/database';
import { type DataSource, type EntityManager, IsNull, Not, type SelectQueryBuilder } from 'typeorm';
import type { ApiRateLimitName, RateLimitOverrides } from '../rate-limits/route-limits.js';

export interface KeyWithAccount {
  id: string;
  name: string;
  accountId: string;
  hash: Buffer;
  limitOverrides: RateLimitOverrides | null;
  suspended: boolean;
}

const FIND_KEYS = {
  name: 'api-key',
  text: `SELECT key.id, key.name, key.account_id AS "accountId", key.hash, key.rate_limits AS "limitOverrides", account.suspended_at IS NOT NULL AS suspended
         FROM api_key key JOIN account ON account.id = key.account_id
         WHERE key.id = ANY($1) AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now())`,
};
const FIND_VALID_KEY_IDS = {
  name: 'valid-api-keys',
  text: `SELECT key.id FROM api_key key JOIN account ON account.id = key.account_id
         WHERE key.id = ANY($1) AND key.revoked_at IS NULL AND account.suspended_at IS NULL
           AND (key.expires_at IS NULL OR key.expires_at > now())`,
};

/** In the order of the ids; undefined for an unknown, revoked or expired key. */
export async function findActiveKeysWithAccountByIds(
  db: EntityManager,
  ids: readonly string[],
): Promise<(KeyWithAccount | undefined)[]> {
  const rows = await queryPrepared<KeyWithAccount>(db, FIND_KEYS, [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
}

export async function filterValidKeyIds(db: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  const rows = await queryPrepared<{ id: string }>(db, FIND_VALID_KEY_IDS, [ids]);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Applies from the next request on. @param perMinute requests per minute; null for the default
 * @returns the overrides of the key after the change; null if the key is unknown or revoked
 */
export async function setRateLimitOverride(
  dataSource: DataSource | EntityManager,
  keyId: string,
  name: ApiRateLimitName,
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
 * @returns false if nothing changed: the account is unknown, has ended, or is already in that state
 */
export async function setAccountSuspended(
  db: EntityManager,
  accountId: string,
  suspended: boolean,
): Promise<boolean> {
  const changed = await db.update(
    Account,
    { id: accountId, endedAt: IsNull(), suspendedAt: suspended ? IsNull() : Not(IsNull()) },
    { suspendedAt: suspended ? () => 'now()' : null },
  );
  return changed.affected === 1;
}

export interface ApiKeyWithCreatorAndOpenJobCount {
  id: string;
  name: string;
  /** Null for a key that an operator made. */
  createdBy: MemberIdentity | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  limitOverrides: RateLimitOverrides;
  /** Jobs in process that it created. */
  openJobs: number;
}

const COUNT_OPEN_JOBS = buildAccountScopedQuery(
  'open-jobs-by-key',
  `SELECT api_key_id AS id, count(*)::integer AS jobs FROM job
   WHERE account_id = $1 AND status = 'processing' AND api_key_id IS NOT NULL GROUP BY api_key_id`,
);

const IS_USABLE = 'key.revokedAt IS NULL AND (key.expiresAt IS NULL OR key.expiresAt > now())';

/** Revoked and expired keys that a list shows: each may be replaced by another one for ever. */
const MAX_ENDED_KEYS_LISTED = 200;

/** Neither revoked nor expired. */
export function countUsableApiKeys(tx: EntityManager, accountId: string): Promise<number> {
  return queryKeys(tx, accountId).andWhere(IS_USABLE).getCount();
}

function queryKeys(manager: EntityManager, accountId: string): SelectQueryBuilder<ApiKey> {
  return manager.createQueryBuilder(ApiKey, 'key').where('key.accountId = :accountId', { accountId });
}

/** Newest first; of those that were revoked or have expired, those of which that is the least time ago. */
export async function listApiKeysOfAccount(
  dataSource: DataSource,
  accountId: string,
): Promise<ApiKeyWithCreatorAndOpenJobCount[]> {
  const counts = await queryAccountRows<{ id: string; jobs: number }>(dataSource, accountId, COUNT_OPEN_JOBS);
  const openJobs = new Map(counts.map(({ id, jobs }) => [id, jobs]));
  const { manager } = dataSource;
  const usable = await queryKeys(manager, accountId).andWhere(IS_USABLE).getMany();
  const ended = await queryKeys(manager, accountId)
    .andWhere(`NOT (${IS_USABLE})`)
    .orderBy('LEAST(key.revokedAt, key.expiresAt)', 'DESC')
    .limit(MAX_ENDED_KEYS_LISTED)
    .getMany();
  const keys = [...usable, ...ended].toSorted(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1),
  );
  const referTo = await loadAccountMemberLookup(dataSource, accountId);
  return keys.map(({ id, name, createdBy, createdAt, expiresAt, lastUsedAt, revokedAt, rateLimits }) => ({
    id,
    name,
    createdBy: referTo(createdBy),
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
    limitOverrides: rateLimits ?? {},
    openJobs: openJobs.get(id) ?? 0,
  }));
}

/**
 * Writes at most once a minute per key. A row that another process writes is skipped, so that no two processes wait for
 * each other.
 */
export async function touchKeys(
  { manager }: Pick<DataSource, 'manager'>,
  ids: readonly string[],
): Promise<void> {
  await manager.query(
    `UPDATE api_key SET last_used_at = now() FROM (
       SELECT id FROM api_key
       WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
       FOR NO KEY UPDATE SKIP LOCKED
     ) used WHERE api_key.id = used.id`,
    [ids],
  );
}
