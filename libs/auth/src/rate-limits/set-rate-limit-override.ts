import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import type { LimitName, LimitOverrides } from './route-limits.js';

/**
 * Sets one limit of a key, or gives it back its usual value. Counts from the next request on.
 * @param perMinute requests a minute; null for the usual limit
 * @returns the key's overrides after the change; null when there is no such key or it is revoked.
 */
export async function setRateLimitOverride(
  dataSource: DataSource,
  keyId: string,
  name: LimitName,
  perMinute: number | null,
): Promise<LimitOverrides | null> {
  const [row] = await queryRows<{ limits: LimitOverrides | null }>(
    dataSource,
    `UPDATE api_key SET rate_limits = NULLIF(
       jsonb_strip_nulls(COALESCE(rate_limits, '{}') || jsonb_build_object($2::text, $3::integer)), '{}')
     WHERE id = $1 AND revoked_at IS NULL RETURNING rate_limits AS limits`,
    [keyId, name, perMinute],
  );
  return row ? (row.limits ?? {}) : null;
}
