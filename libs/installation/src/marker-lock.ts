import { withAdvisoryLock } from '@app/database';
import type { DataSource } from 'typeorm';

/** Any number that is ours alone. */
const MARKER_LOCK = 7_305_815;

/**
 * Runs work that changes the marker, one at a time over all programs of this database: generations reach the store in
 * their order.
 */
export function withMarkerLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  return withAdvisoryLock(dataSource, MARKER_LOCK, work);
}
