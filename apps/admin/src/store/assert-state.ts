import type { StoreState } from '@app/installation';
import { CommandRefused } from '../output.js';

/** @throws CommandRefused unless database and object store are in one of these states */
export function assertState(state: StoreState, allowed: readonly StoreState[]): void {
  if (allowed.includes(state)) return;
  throw new CommandRefused(
    'The database and the object store do not belong together: check DATABASE_URL, S3_BUCKET and DATA_DIR, and see `store show`.',
  );
}
