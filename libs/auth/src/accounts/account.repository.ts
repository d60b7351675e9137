import { Account } from '@app/database';
import { type DataSource, IsNull, Not } from 'typeorm';

/**
 * Suspension rejects the keys of the account, but does not affect jobs and signed URLs.
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
