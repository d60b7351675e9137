import type { StoreState } from '@app/installation';
import { CommandError } from '../output.js';

/** @throws CommandError unless database and object store are in one of these states */
export function assertStoreState(state: StoreState, allowed: readonly StoreState[]): void {
  if (allowed.includes(state)) return;
  throw new CommandError(
    'The database and the object store do not belong together: check DATABASE_URL, S3_BUCKET and DATA_DIR, and see `store show`.',
  );
}
