import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';
import type { ObjectPrefix } from './stored-object.repository.js';

/** Minimum interval of counted observations. */
const MIN_OBSERVATION_INTERVAL = `interval '1 hour'`;
const OBSERVATION_EXPIRY = `interval '1 day'`;
const MIN_OBSERVATIONS = 3;

export interface Orphan {
  key: string;
  /** Empty for an object. */
  uploadId: string;
}

export interface ObservedOrphan extends Orphan {
  /** ISO 8601. */
  firstSeenAt: string;
  observations: number;
}

export interface OrphanScanScope {
  prefix: ObjectPrefix;
  uploads: boolean;
}

const SCOPE_CONDITION = `starts_with(key, $1) AND (upload_id <> '') = $2`;

/** Uses the clock of the database. An orphan that is not observed for a day starts over. */
export async function recordOrphanObservations(db: DataSource, orphans: readonly Orphan[]): Promise<void> {
  if (orphans.length === 0) return;
  await db.query(
    `INSERT INTO orphan_observation AS known (key, upload_id)
     SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (key, upload_id) DO UPDATE SET
       first_seen_at = CASE WHEN known.last_seen_at < now() - ${OBSERVATION_EXPIRY} THEN now() ELSE known.first_seen_at END,
       observations = CASE WHEN known.last_seen_at < now() - ${OBSERVATION_EXPIRY} THEN 1 ELSE known.observations + 1 END,
       last_seen_at = now()
     WHERE known.last_seen_at < now() - ${MIN_OBSERVATION_INTERVAL}`,
    [orphans.map(({ key }) => key), orphans.map(({ uploadId }) => uploadId)],
  );
}

/** Orphans that a complete scan did not find are deleted or have a row now. */
export async function deleteUnseenOrphanObservations(
  db: DataSource,
  { prefix, uploads }: OrphanScanScope,
  begunAt: string,
): Promise<void> {
  await db.query(
    `DELETE FROM orphan_observation WHERE ${SCOPE_CONDITION} AND last_seen_at < $3::timestamptz - ${MIN_OBSERVATION_INTERVAL}`,
    [prefix, uploads, begunAt],
  );
}

/** Requires several observations; oldest first. */
export function listOrphansOlderThan(
  db: DataSource,
  { prefix, uploads }: OrphanScanScope,
  days: number,
): Promise<Orphan[]> {
  return queryRows<Orphan>(
    db,
    `SELECT key, upload_id AS "uploadId" FROM orphan_observation
     WHERE ${SCOPE_CONDITION} AND first_seen_at < now() - make_interval(days => $3) AND observations >= ${MIN_OBSERVATIONS}
     ORDER BY first_seen_at, key`,
    [prefix, uploads, days],
  );
}

export function listObservedOrphans(db: DataSource): Promise<ObservedOrphan[]> {
  return queryRows<ObservedOrphan>(
    db,
    `SELECT key, upload_id AS "uploadId", observations,
       to_char(first_seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "firstSeenAt"
     FROM orphan_observation ORDER BY key, upload_id`,
  );
}

export async function deleteOrphanObservations(db: DataSource, orphans: readonly Orphan[]): Promise<void> {
  await db.query(
    `DELETE FROM orphan_observation WHERE (key, upload_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [orphans.map(({ key }) => key), orphans.map(({ uploadId }) => uploadId)],
  );
}
