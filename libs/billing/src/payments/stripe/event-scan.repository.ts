import { PaymentEventScan, queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** Stripe keeps events for 30 days. */
const FIRST_SCAN_DAYS = 30;
/** An event may appear later than others that were created after it. */
const OVERLAP_SECONDS = 3600;
/** More than any scan reaches back. */
const EVENT_RETENTION_DAYS = 60;

export interface ClaimedEventScan {
  /** Events from then on. */
  since: Date;
  startedAt: Date;
}

/** @returns null if another process started a scan within the interval */
export async function claimEventScan(
  dataSource: DataSource,
  provider: string,
  intervalSeconds: number,
): Promise<ClaimedEventScan | null> {
  const [scan] = await queryRows<ClaimedEventScan>(
    dataSource,
    `INSERT INTO payment_event_scan (provider, started_at) VALUES ($1, now())
     ON CONFLICT (provider) DO UPDATE SET started_at = now()
     WHERE payment_event_scan.started_at <= now() - make_interval(secs => $2)
     RETURNING started_at AS "startedAt",
       COALESCE(scanned_until - make_interval(secs => ${OVERLAP_SECONDS}),
         now() - make_interval(days => ${FIRST_SCAN_DAYS})) AS since`,
    [provider, intervalSeconds],
  );
  return scan ?? null;
}

/** Call it only after every event was applied. */
export async function completeEventScan(
  dataSource: DataSource,
  provider: string,
  { startedAt }: ClaimedEventScan,
): Promise<void> {
  await dataSource.getRepository(PaymentEventScan).update({ provider }, { scannedUntil: startedAt });
}

/** @returns the ids that have no row */
export async function findUnappliedEventIds(
  dataSource: DataSource,
  ids: readonly string[],
): Promise<Set<string>> {
  const applied = await queryRows<{ id: string }>(
    dataSource,
    'SELECT id FROM payment_event WHERE id = ANY($1)',
    [ids],
  );
  const known = new Set(applied.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

export async function purgeOldEvents(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    `DELETE FROM payment_event WHERE received_at < now() - make_interval(days => ${EVENT_RETENTION_DAYS})`,
  );
}
