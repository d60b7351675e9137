import { Membership, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import type { MemberRole } from './permissions.js';

export interface Member {
  userId: string;
  email: string;
  name: string;
  role: MemberRole;
  disabled: boolean;
  joinedAt: Date;
  lastSeenAt: Date | null;
}

export interface AccountOfUser {
  accountId: string;
  name: string;
  role: MemberRole;
  requiresTwoFactors: boolean;
}

/** Owners first, then by mail address. */
export function listMembers(db: DataSource, accountId: string): Promise<Member[]> {
  return queryRows<Member>(
    db,
    `SELECT app_user.id AS "userId", email, app_user.name, role, disabled_at IS NOT NULL AS disabled,
       membership.created_at AS "joinedAt",
       (SELECT max(last_seen_at) FROM user_session
        WHERE user_id = app_user.id AND account_id = membership.account_id) AS "lastSeenAt"
     FROM membership JOIN app_user ON app_user.id = membership.user_id
     WHERE membership.account_id = $1
     ORDER BY array_position(ARRAY['owner', 'admin', 'member', 'viewer'], role), email`,
    [accountId],
  );
}

/** By name. */
export function listAccountsOfUser(db: DataSource, userId: string): Promise<AccountOfUser[]> {
  return queryRows<AccountOfUser>(
    db,
    `SELECT account.id AS "accountId", account.name, role,
       account.requires_two_factors AS "requiresTwoFactors"
     FROM membership JOIN account ON account.id = membership.account_id
     WHERE membership.user_id = $1 ORDER BY account.name, account.id`,
    [userId],
  );
}

/** Locks all memberships of the account, so that of two owners who leave at the same time one stays. */
export function lockMemberships(tx: EntityManager, accountId: string): Promise<Membership[]> {
  return tx
    .createQueryBuilder(Membership, 'membership')
    .where('membership.accountId = :accountId', { accountId })
    .orderBy('membership.userId')
    .setLock('pessimistic_write')
    .getMany();
}

/** Owners who may sign in. */
export async function listEnabledOwnerIds(tx: EntityManager, accountId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    `SELECT app_user.id FROM membership JOIN app_user ON app_user.id = membership.user_id
     WHERE membership.account_id = $1 AND role = 'owner' AND disabled_at IS NULL`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** By name; accounts that have not ended, of which the user is an owner and every owner is disabled. */
export async function listAccountsWithoutEnabledOwner(tx: EntityManager, userId: string): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    tx,
    `SELECT account.name FROM membership own JOIN account ON account.id = own.account_id
     WHERE own.user_id = $1 AND own.role = 'owner' AND account.ended_at IS NULL AND NOT EXISTS (
       SELECT FROM membership JOIN app_user ON app_user.id = membership.user_id
       WHERE membership.account_id = own.account_id AND role = 'owner' AND disabled_at IS NULL)
     ORDER BY account.name`,
    [userId],
  );
  return rows.map(({ name }) => name);
}

/** Until the end of the transaction, nobody changes the role. @returns null if the user is no member */
export async function lockRoleOfMember(
  tx: EntityManager,
  accountId: string,
  userId: string,
): Promise<MemberRole | null> {
  const where = { accountId, userId };
  return (await tx.findOne(Membership, { where, lock: { mode: 'pessimistic_read' } }))?.role ?? null;
}

/** @returns false if the user is a member already */
export async function insertMembership(
  tx: EntityManager,
  userId: string,
  accountId: string,
  role: MemberRole,
): Promise<boolean> {
  const rows = await queryRows(
    tx,
    `INSERT INTO membership (user_id, account_id, role) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING user_id`,
    [userId, accountId, role],
  );
  return rows.length === 1;
}
