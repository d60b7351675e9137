import { inTransaction, Membership, User } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../../audit/audit-log.repository.js';
import { assertRolePermits } from './assert-role-permits.js';
import { endOpenInvitations } from './invitation.repository.js';
import {
  type AccountOfUser,
  insertMembership,
  listAccountsOfUser,
  listEnabledOwnerIds,
  listAccountsWithoutEnabledOwner,
  listMembers,
  lockMemberships,
  type Member,
} from './membership.repository.js';
import { hasPermission, type MemberRole } from './permissions.js';

type NewMembership = Pick<Membership, 'userId' | 'accountId' | 'role'>;

/**
 * Whoever accepted a copied link of an invitation has not proved the address. Another account that adds the address may mean
 * somebody else.
 */
export class UnprovedAddressError extends ServiceError {
  constructor(readonly email: string) {
    super('permission_denied', {
      detail: `Nobody has proved yet that ${email} is your mail address. Open a link that was mailed to you for a new password, or that the operator made for you; then try again.`,
    });
  }
}

/** Users of an account and their roles. An account that has owners never loses its last one, unless an operator disables the user. */
export class Memberships {
  constructor(private readonly dataSource: DataSource) {}

  listMembers(accountId: string): Promise<Member[]> {
    return listMembers(this.dataSource, accountId);
  }

  listAccounts(userId: string): Promise<AccountOfUser[]> {
    return listAccountsOfUser(this.dataSource, userId);
  }

  /** Names of the accounts in which the user, who is disabled, is an owner, and every other owner is disabled as well. */
  listAccountsWithoutEnabledOwner(tx: EntityManager, userId: string): Promise<string[]> {
    return listAccountsWithoutEnabledOwner(tx, userId);
  }

  /** @returns false if the user is a member already @throws UnprovedAddressError */
  async add(tx: EntityManager, actor: AuditActor, membership: NewMembership): Promise<boolean> {
    if (!(await this.addNewUser(tx, actor, membership))) return false;
    const { email, isAddressProved } = await tx.findOneByOrFail(User, { id: membership.userId });
    if (!isAddressProved) throw new UnprovedAddressError(email);
    return true;
  }

  /** Adds a user whom the transaction has just created: the account itself chose who gets the link. @returns as `add` */
  async addNewUser(
    tx: EntityManager,
    actor: AuditActor,
    { userId, accountId, role }: NewMembership,
  ): Promise<boolean> {
    if (!(await insertMembership(tx, userId, accountId, role))) return false;
    const entry = { accountId, action: 'member.added', target: userId, details: { role } };
    await recordAuditEvent(tx, actor, entry);
    return true;
  }

  /**
   * @param actor a user needs a role for it; an operator may change every role
   * @throws ServiceError `no_such_resource`, `permission_denied` (owners are changed by owners), `conflict` (last owner)
   */
  changeRole(accountId: string, userId: string, role: MemberRole, actor: AuditActor): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      const all = await lockMemberships(tx, accountId);
      const mayChangeOwners = assertMayChangeMembers(all, actor);
      const member = findChangeableMember(all, userId, mayChangeOwners);
      if (role === 'owner') assertMayChangeOwners(mayChangeOwners);
      if (member.role === role) return;
      if (member.role === 'owner') await assertAnotherOwner(tx, all, member);
      await tx.update(Membership, { accountId, userId }, { role });
      const revoked = await revokeInvitationsOf(tx, accountId, userId, role);
      const details = { from: member.role, to: role, ...(revoked > 0 && { invitations_revoked: revoked }) };
      await recordAuditEvent(tx, actor, {
        accountId,
        action: 'member.role_changed',
        target: userId,
        details,
      });
    });
  }

  /**
   * Members may remove themselves; others need a role for it.
   * @throws ServiceError as `changeRole`
   */
  remove(accountId: string, userId: string, actor: AuditActor): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      const isSelf = actor.kind === 'user' && actor.id === userId;
      const all = await lockMemberships(tx, accountId);
      const member = findChangeableMember(all, userId, isSelf || assertMayChangeMembers(all, actor));
      if (member.role === 'owner') await assertAnotherOwner(tx, all, member);
      await tx.delete(Membership, { accountId, userId });
      const revoked = await revokeInvitationsOf(tx, accountId, userId, null);
      const action = isSelf ? 'member.left' : 'member.removed';
      await recordAuditEvent(tx, actor, {
        accountId,
        action,
        target: userId,
        details: { role: member.role, ...(revoked > 0 && { invitations_revoked: revoked }) },
      });
    });
  }
}

/**
 * A member who loses the right to invite must not come back by an open invitation that they made before.
 * @param role after the change; null of who is no member any more
 * @returns the number of revoked invitations
 */
async function revokeInvitationsOf(
  tx: EntityManager,
  accountId: string,
  userId: string,
  role: MemberRole | null,
): Promise<number> {
  if (role !== null && hasPermission(role, 'owners.write')) return 0;
  const mayInvite = role !== null && hasPermission(role, 'members.write');
  const open = { accountId, invitedBy: userId };
  return endOpenInvitations(tx, mayInvite ? { ...open, role: 'owner' } : open);
}

/** @returns whether the actor may change owners as well @throws ServiceError `permission_denied` */
function assertMayChangeMembers(members: readonly Membership[], actor: AuditActor): boolean {
  if (actor.kind !== 'user') return true;
  const role = members.find((each) => each.userId === actor.id)?.role ?? null;
  assertRolePermits(role, 'members.write');
  return hasPermission(role, 'owners.write');
}

function findChangeableMember(
  members: readonly Membership[],
  userId: string,
  mayChangeOwners: boolean,
): Membership {
  const member = members.find((each) => each.userId === userId);
  if (!member) throw new ServiceError('no_such_resource', { detail: 'The account has no such member.' });
  if (member.role === 'owner') assertMayChangeOwners(mayChangeOwners);
  return member;
}

function assertMayChangeOwners(mayChangeOwners: boolean): void {
  if (!mayChangeOwners)
    throw new ServiceError('permission_denied', { detail: 'Only an owner can make or change an owner.' });
}

/** An owner who is disabled is no other owner, except of one who is disabled, too. */
async function assertAnotherOwner(
  tx: EntityManager,
  members: readonly Membership[],
  { accountId, userId }: Membership,
): Promise<void> {
  const owners = members.filter((each) => each.role === 'owner').map((each) => each.userId);
  const enabled = await listEnabledOwnerIds(tx, accountId);
  const counted = enabled.includes(userId) ? enabled : owners;
  if (counted.some((id) => id !== userId)) return;
  const who = owners.length > 1 ? 'no owner who is not disabled' : 'no owner';
  throw new ServiceError('conflict', {
    detail: `The account would have ${who}; make another member owner first.`,
  });
}
