import { Account } from '@app/database';
import { type DataSource, IsNull, Not } from 'typeorm';

/**
 * Suspends an account, so that none of its keys is accepted, or resumes it. Jobs and signed addresses stay as they are.
 * @returns false when nothing changed: the account is unknown, or was so already
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
