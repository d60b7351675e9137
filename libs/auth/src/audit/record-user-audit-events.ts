import { Membership } from '@app/database';
import type { EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from './audit-log.repository.js';

/**
 * A change of a user, in the transaction of the change. What users change of themselves belongs to no account. What an operator
 * changes concerns every account that the user is a member of: each gets an event.
 */
export async function recordUserAuditEvents(
  tx: EntityManager,
  actor: AuditActor,
  { userId, action, details = {} }: { userId: string; action: string; details?: Record<string, unknown> },
): Promise<void> {
  const memberships = actor.kind === 'operator' ? await tx.findBy(Membership, { userId }) : [];
  const accountIds = memberships.length > 0 ? memberships.map(({ accountId }) => accountId) : [null];
  for (const accountId of accountIds)
    await recordAuditEvent(tx, actor, { accountId, action, target: userId, details });
}
