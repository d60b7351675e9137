import type { StoreIdentity } from '@app/installation';
import { STATE_ADVICE, STATE_DESCRIPTIONS } from '../store/store-report.js';
import { type Finding, ok, problem } from './finding.js';

/** Whether database and store belong together; a store that nobody claimed yet is no trouble. */
export function toStoreIdentityFinding({ state, row }: Pick<StoreIdentity, 'state' | 'row'>): Finding {
  const name = 'store identity';
  if (state === 'agreed') return ok(name, `installation ${row.installationId}, store ${row.storeId}`);
  if (state === 'unclaimed' || state === 'claim_unfinished')
    return ok(name, 'not claimed yet: the first program to start claims the store');
  return problem(
    name,
    STATE_DESCRIPTIONS[state],
    STATE_ADVICE[state] ?? 'Compare the two with `store show`.',
  );
}
