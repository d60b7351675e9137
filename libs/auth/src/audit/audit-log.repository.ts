import { AuditEvent, type RecordChange } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

export const ACTOR_KINDS = [
  'user',
  'key',
  'operator',
  'system',
] as const satisfies readonly AuditEvent['actorKind'][];

/** Who changed something, and from where. */
export interface AuditActor {
  kind: AuditEvent['actorKind'];
  /** User id, public key id, or the operator's system user. */
  id: string | null;
  /** Mail address, or the name of the key. */
  name: string | null;
  address: string | null;
  requestId: string | null;
}

export interface AuditedAction {
  accountId: string | null;
  /** Such as `key.created`. */
  action: string;
  /** Id of what was changed. */
  target?: string | null;
  /** Never a secret. */
  details?: Record<string, unknown>;
}

/** Call it in the transaction of the change, so that no change lacks its event, and no event its change. */
export async function recordAuditEvent(
  tx: EntityManager,
  actor: AuditActor,
  entry: AuditedAction,
): Promise<void> {
  await tx.insert(AuditEvent, {
    accountId: entry.accountId,
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.name,
    action: entry.action,
    target: entry.target ?? null,
    address: actor.address,
    requestId: actor.requestId,
    details: (entry.details ?? {}) as object,
  });
}

/** For changes that `actor` makes to an account. */
export function createChangeRecorder(actor: AuditActor, accountId: string): RecordChange {
  return (tx, change) => recordAuditEvent(tx, actor, { accountId, ...change });
}

export interface AuditFilter {
  /** Null for events that belong to no account. */
  accountId?: string | null;
  actorId?: string;
  actorKind?: AuditActor['kind'];
  /** An action, or all that begin with a prefix that ends in `.`. */
  action?: string;
  target?: string;
  since?: Date;
  until?: Date;
  /** Id of the last event of the page before. */
  before?: number;
}

/** Newest first. @param limit at least 1 */
export async function listAuditEvents(
  { manager }: Pick<DataSource, 'manager'>,
  filter: AuditFilter,
  limit: number,
): Promise<AuditEvent[]> {
  const query = manager.createQueryBuilder(AuditEvent, 'event').orderBy('event.id', 'DESC').limit(limit);
  const { accountId, actorId, actorKind, action, target, since, until, before } = filter;
  if (accountId === null) query.andWhere('event.accountId IS NULL');
  else if (accountId !== undefined) query.andWhere('event.accountId = :accountId', { accountId });
  if (actorId !== undefined) query.andWhere('event.actorId = :actorId', { actorId });
  if (actorKind !== undefined) query.andWhere('event.actorKind = :actorKind', { actorKind });
  if (action !== undefined && action.endsWith('.'))
    query.andWhere('starts_with(event.action, :action)', { action });
  else if (action !== undefined) query.andWhere('event.action = :action', { action });
  if (target !== undefined) query.andWhere('event.target = :target', { target });
  if (since !== undefined) query.andWhere('event.at >= :since', { since });
  if (until !== undefined) query.andWhere('event.at < :until', { until });
  if (before !== undefined) query.andWhere('event.id < :before', { before });
  return query.getMany();
}
