import { randomUUID } from 'node:crypto';
import { inTransaction, type Invitation } from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../../audit/audit-log.repository.js';
import { assertRolePermits } from './assert-role-permits.js';
import {
  countOpenInvitationsOfOtherAddresses,
  endOpenInvitations,
  findOpenInvitation,
  insertInvitationEndingOpenOnes,
  listOpenInvitations,
  listOpenInvitationsByEmail,
  lockAndCountRecentlyMailedInvitations,
  markInvitationAccepted,
  type OpenInvitation,
  setInvitationMailed,
} from './invitation.repository.js';
import { normalizeEmail, parseMailAddress } from '../users/mail-address.js';
import { lockRoleOfMember } from './membership.repository.js';
import type { Memberships } from './memberships.js';
import { hasPermission, type MemberRole } from './permissions.js';
import { generateSecretToken, hashSecretToken } from '../secret-token.js';
import type { ClientInfo } from '../sessions/sessions.js';
import type { SignInService, SignInResult } from '../sign-in/sign-in.service.js';
import type { SignInRateLimiter } from '../sign-in/sign-in-rate-limiter.js';
import type { Users } from '../users/users.js';

const INVITATION_SECONDS = 7 * 24 * 3600;
/** To one address, of all accounts. */
const MAX_MAILS_PER_HOUR = 5;
const MAX_OPEN_INVITATIONS_PER_ACCOUNT = 1_000;

/** Offers of a role in an account. Whoever has the link accepts: it is mailed, or copied by who invites. */
export class Invitations {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: Users,
    private readonly memberships: Memberships,
    private readonly signIn: SignInService,
    private readonly limits: SignInRateLimiter,
  ) {}

  listOpen(accountId: string): Promise<Invitation[]> {
    return listOpenInvitations(this.dataSource, accountId);
  }

  /**
   * Replaces an open invitation of the same address.
   * @param actor a user needs a role for it
   * @returns the token of the link
   * @throws ServiceError `validation_failed` (names `email`), `conflict` for a member or if too many are open, `permission_denied` (owners
   * are invited by owners)
   */
  async create(
    { accountId, email: given, role }: { accountId: string; email: string; role: MemberRole },
    actor: AuditActor,
  ): Promise<{ id: string; token: string }> {
    const email = parseMailAddress(given);
    const members = await this.memberships.listMembers(accountId);
    if (members.some((member) => member.email === email))
      throw new ServiceError('conflict', { detail: `${email} is a member already.` });
    const token = generateSecretToken();
    const id = randomUUID();
    const invitedBy = actor.kind === 'user' ? actor.id : null;
    await inTransaction(this.dataSource, async (tx) => {
      if (actor.kind === 'user') await assertMayInvite(tx, accountId, actor.id, role);
      // Not locked: requests of the same moment exceed the maximum by as many.
      if (
        (await countOpenInvitationsOfOtherAddresses(tx, accountId, email)) >= MAX_OPEN_INVITATIONS_PER_ACCOUNT
      )
        throw new ServiceError('conflict', {
          detail: `An account has at most ${MAX_OPEN_INVITATIONS_PER_ACCOUNT} open invitations. Withdraw one.`,
        });
      const row = { id, accountId, email, role, tokenHash: token.hash, invitedBy };
      await insertInvitationEndingOpenOnes(tx, row, INVITATION_SECONDS);
      const entry = { accountId, action: 'invitation.created', target: id, details: { email, role } };
      await recordAuditEvent(tx, actor, entry);
    });
    return { id, token: token.text };
  }

  /**
   * Marks the invitation as mailed, before it is: only the person who reads the mails of the address may get its link then.
   * @returns false if the address has got too many: somebody who invites it again and again, in any account, fills no mailbox
   */
  reserveMail(id: string, email: string): Promise<boolean> {
    return inTransaction(this.dataSource, async (tx) => {
      const mailed = await lockAndCountRecentlyMailedInvitations(tx, normalizeEmail(email));
      if (mailed >= MAX_MAILS_PER_HOUR) return false;
      await setInvitationMailed(tx, id, true);
      return true;
    });
  }

  /** Takes the mark back after the mail server refused the mail. Call it before the link is shown to who invites. */
  releaseMail(id: string): Promise<void> {
    return setInvitationMailed(this.dataSource.manager, id, false);
  }

  /** @throws ServiceError `no_such_resource` */
  revoke(accountId: string, id: string, actor: AuditActor): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      if ((await endOpenInvitations(tx, { id, accountId })) !== 1)
        throw new ServiceError('no_such_resource', { detail: 'The account has no such invitation.' });
      await recordAuditEvent(tx, actor, { accountId, action: 'invitation.revoked', target: id });
    });
  }

  /** @throws ServiceError `no_such_resource` if it is unknown, accepted or expired */
  async getOpen(token: string): Promise<OpenInvitation> {
    const hash = hashSecretToken(token);
    const invitation = hash && (await findOpenInvitation(this.dataSource, hash));
    if (!invitation)
      throw new ServiceError('no_such_resource', {
        detail: 'The invitation was used before, or has expired.',
      });
    return invitation;
  }

  /**
   * A new user chooses name and password, and is signed in.
   * @throws ServiceError `conflict` if the address has a user, who must sign in first; `validation_failed`, `rate_limit_exceeded`
   */
  async acceptAsNewUser(
    token: string,
    { name, password }: { name: string; password: string },
    client: ClientInfo,
  ): Promise<SignInResult> {
    if (name.trim() === '') throw createInvalidFieldError('name', 'must not be empty');
    await this.limits.countRequest(client.address);
    const invitation = await this.getOpen(token);
    const { email, isMailed: isAddressProved } = invitation;
    // The password is checked before the address: a weak one, which leaves the invitation open, must not show whether it has a user.
    const passwordHash = await this.users.hashNewPassword(password, { email, name });
    return inTransaction(this.dataSource, async (tx) => {
      const actor = { ...NO_ACTOR, name: email, address: client.address };
      const userId = await this.users
        .create(tx, actor, { email, name, passwordHash, isAddressProved })
        .catch((error: unknown) => {
          if (!(error instanceof ServiceError && error.code === 'conflict')) throw error;
          throw new ServiceError('conflict', { detail: `Sign in as ${email} to accept the invitation.` });
        });
      await this.accept(tx, invitation, { ...actor, id: userId }, 'new');
      return this.signIn.startSession(tx, { userId, method: 'invitation', factors: 'one_factor' }, client);
    });
  }

  /** @throws ServiceError `no_such_resource`; `permission_denied` if another address was invited, or the user's is not proved */
  async acceptAsUser(
    token: string,
    user: { userId: string; email: string },
    actor: AuditActor,
  ): Promise<string> {
    const invitation = await this.getOpen(token);
    if (invitation.email !== user.email)
      throw new ServiceError('permission_denied', {
        detail: `The invitation is for ${invitation.email}; you are signed in as ${user.email}.`,
      });
    await inTransaction(this.dataSource, (tx) => this.accept(tx, invitation, actor));
    return invitation.accountId;
  }

  /**
   * Makes a person a user and a member whose address was proved by other means than the link of the invitation. Accepts the invitation
   * whose link the person has opened, or else the only open one.
   * @param person `linkHash`: hash of the token of that link, null without one
   */
  async acceptForVerifiedAddress(
    tx: EntityManager,
    { email, name, linkHash }: { email: string; name: string; linkHash: Buffer | null },
    { address }: ClientInfo,
  ): Promise<
    | { state: 'accepted'; userId: string }
    | { state: 'rejected'; reason: 'not_invited' | 'several_invitations' }
  > {
    const open = await listOpenInvitationsByEmail(tx, email);
    const opened = linkHash && (await findOpenInvitation(tx, linkHash));
    const invitation = open.find(({ id }) => id === opened?.id) ?? open[0];
    if (!invitation) return { state: 'rejected', reason: 'not_invited' };
    if (open.length > 1 && invitation.id !== opened?.id)
      return { state: 'rejected', reason: 'several_invitations' };
    const actor = { ...NO_ACTOR, name: email, address };
    const userId = await this.users.create(tx, actor, { email, name, isAddressProved: true });
    await this.accept(tx, invitation, { ...actor, id: userId });
    return { state: 'accepted', userId };
  }

  private async accept(
    tx: EntityManager,
    { id, accountId, role }: OpenInvitation,
    actor: AuditActor,
    user: 'new' | 'existing' = 'existing',
  ): Promise<void> {
    if (!actor.id || !(await markInvitationAccepted(tx, id)))
      throw new ServiceError('conflict', { detail: 'The invitation was accepted or withdrawn meanwhile.' });
    const membership = { userId: actor.id, accountId, role };
    if (user === 'new') await this.memberships.addNewUser(tx, actor, membership);
    else await this.memberships.add(tx, actor, membership);
  }
}

async function assertMayInvite(
  tx: EntityManager,
  accountId: string,
  userId: string | null,
  role: MemberRole,
): Promise<void> {
  const actorRole = userId === null ? null : await lockRoleOfMember(tx, accountId, userId);
  assertRolePermits(actorRole, 'members.write');
  if (role === 'owner' && !hasPermission(actorRole, 'owners.write'))
    throw new ServiceError('permission_denied', { detail: 'Only an owner can invite an owner.' });
}

const NO_ACTOR = { kind: 'user', id: null, requestId: null } as const;
