import { inTransaction } from '@app/database';
import { cancelJob } from '@app/jobs';
import type { AdminServices } from '../lazy-admin-services.js';
import { recordOperatorAction } from '../operator-audit.js';

/**
 * With an event of the job in the audit log of its account.
 * @returns false, without a change, if nothing was left to cancel
 */
export function cancelJobAsOperator(
  { dataSource, jobHooks }: Pick<AdminServices, 'dataSource' | 'jobHooks'>,
  { id, accountId }: { id: string; accountId: string },
  details: Record<string, unknown> = {},
): Promise<boolean> {
  return inTransaction(dataSource, async (tx) => {
    if (!(await cancelJob(tx, jobHooks, id))) return false;
    await recordOperatorAction(tx, { accountId, action: 'job.cancelled', target: id, details });
    return true;
  });
}
