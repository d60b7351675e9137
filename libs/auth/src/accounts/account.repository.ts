import { Account } from '@app/database';
import { type DataSource, IsNull, Not } from 'typeorm';

/**
 * Suspends an account, so that its keys are rejected, or resumes it. Jobs and signed URLs are not affected.
 * @returns false if nothing changed: the account is unknown or already in that state
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
