import { Account, ApiKey, Invitation, Membership } from '@app/database';
import { ServiceError } from '@app/errors';
import { type EntityManager, IsNull } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../audit/audit-log.repository.js';
import { lockMemberships } from './members/membership.repository.js';

/**
 * Nobody can use the account any more: its keys are revoked, its members and invitations removed. A processor deletes
 * its jobs. The row itself stays for payments, ledger and audit log. @throws ServiceError `conflict` if it has ended
 */
export async function endAccount(tx: EntityManager, accountId: string, actor: AuditActor): Promise<void> {
  // Changes of members lock them as well, so nobody joins meanwhile.
  await lockMemberships(tx, accountId);
  const { affected } = await tx.update(
    Account,
    { id: accountId, endedAt: IsNull() },
    { endedAt: () => 'now()', suspendedAt: () => 'COALESCE(suspended_at, now())' },
  );
  if (affected !== 1) throw new ServiceError('conflict', { detail: 'The account has ended already.' });
  await recordAuditEvent(tx, actor, { accountId, action: 'account.ended', target: accountId });
  await tx.update(ApiKey, { accountId, revokedAt: IsNull() }, { revokedAt: () => 'now()' });
  await tx.delete(Invitation, { accountId });
  await tx.delete(Membership, { accountId });
}
