import { randomUUID } from 'node:crypto';
import { ExternalIdentity, getSqlState, Passkey, TotpSecret, User } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import type { AuditActor } from '../../audit/audit-log.repository.js';
import { recordUserAuditEvents } from '../../audit/record-user-audit-events.js';
import { parseMailAddress } from './mail-address.js';
import { endOpenInvitations } from '../members/invitation.repository.js';
import { deleteOneTimeLinksAndChallenges } from '../sign-in/one-time-link.repository.js';
import type { BreachedPasswords } from '../passwords/breached-passwords.js';
import { assertStrongPassword, hashPassword } from '../passwords/password.js';
import type { SessionWithUserAndRole } from '../sessions/session.repository.js';
import type { Sessions } from '../sessions/sessions.js';
import { deleteTotpAndRecoveryCodes } from '../factors/totp.repository.js';
import {
  findUserByEmail,
  listUsers,
  lockUserIfPasswordHashIs,
  setUserDisabled,
  setUserPasswordHash,
  type UserWithAccounts,
} from './user.repository.js';

const UNIQUE_VIOLATION = '23505';
const PROVED_WITHOUT_PASSWORD = { isAddressProved: true, passwordHash: null };

/** The people who use the console. They are created by operators and by invitations. */
export class Users {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly breachedPasswords: BreachedPasswords,
  ) {}

  findByEmail(email: string, db: EntityManager = this.dataSource.manager): Promise<User | null> {
    return findUserByEmail({ manager: db }, email);
  }

  /** Whether the user can sign in without a link. */
  async hasCredentials(db: EntityManager, userId: string): Promise<boolean> {
    const user = await db.findOneByOrFail(User, { id: userId });
    return (
      user.passwordHash !== null ||
      (await db.existsBy(Passkey, { userId })) ||
      (await db.existsBy(ExternalIdentity, { userId }))
    );
  }

  list(): Promise<UserWithAccounts[]> {
    return listUsers(this.dataSource);
  }

  /** @throws ServiceError `validation_failed` (names `email`), `conflict` if the address is taken */
  async create(
    tx: EntityManager,
    actor: AuditActor,
    {
      email: given,
      name,
      passwordHash = null,
      isAddressProved,
    }: { email: string; name: string; passwordHash?: string | null; isAddressProved: boolean },
  ): Promise<string> {
    const email = parseMailAddress(given);
    const id = randomUUID();
    try {
      await tx.insert(User, { id, email, name: name.trim() || email, passwordHash, isAddressProved });
    } catch (error) {
      if (getSqlState(error) !== UNIQUE_VIOLATION) throw error;
      throw new ServiceError('conflict', { detail: `There is a user ${email} already.`, cause: error });
    }
    await recordUserAuditEvents(tx, actor, { userId: id, action: 'user.created', details: { email } });
    return id;
  }

  /** Changes the name of the user in all accounts. */
  async rename(tx: EntityManager, actor: AuditActor, userId: string, given: string): Promise<void> {
    const name = given.trim();
    const { name: from } = await tx.findOneByOrFail(User, { id: userId });
    if (from === name) return;
    await tx.update(User, { id: userId }, { name });
    await recordUserAuditEvents(tx, actor, { userId, action: 'user.renamed', details: { from, to: name } });
  }

  /** Ends all sessions of the user except the given one, and what somebody may have begun with the password or a link before. */
  async setPassword(
    tx: EntityManager,
    actor: AuditActor,
    {
      userId,
      passwordHash,
      sessionId,
      hasTwoFactors = false,
    }: { userId: string; passwordHash: string; sessionId?: string; hasTwoFactors?: boolean },
  ): Promise<void> {
    await setUserPasswordHash(tx, userId, passwordHash);
    await deleteOneTimeLinksAndChallenges(tx, userId);
    const sessionsEnded = await this.sessions.endAll(tx, userId, sessionId);
    const details = { sessions_ended: sessionsEnded, ...(hasTwoFactors && { two_factors: true }) };
    await recordUserAuditEvents(tx, actor, { userId, action: 'user.password_changed', details });
  }

  /**
   * Sets a password that the user of a session has chosen. This session stays, the others end.
   * @param confirmedHash of the password that was verified; null of a user without one
   * @throws ServiceError `not_signed_in` if the session has ended, `conflict` if the password was changed meanwhile
   */
  async changePassword(
    tx: EntityManager,
    actor: AuditActor,
    {
      userId,
      sessionId,
      hasTwoFactors,
    }: Pick<SessionWithUserAndRole, 'userId' | 'sessionId' | 'hasTwoFactors'>,
    { confirmedHash, passwordHash }: { confirmedHash: string | null; passwordHash: string },
  ): Promise<void> {
    const isConfirmed = await lockUserIfPasswordHashIs(tx, userId, confirmedHash);
    await this.sessions.lock(tx, sessionId);
    if (!isConfirmed)
      throw new ServiceError('conflict', { detail: 'The password was changed meanwhile. Try again.' });
    await this.setPassword(tx, actor, { userId, passwordHash, sessionId, hasTwoFactors });
  }

  /** Removes app, recovery codes and passkeys of a user who has lost them. Ends all sessions. @returns false if there were none */
  async removeFactors(tx: EntityManager, actor: AuditActor, userId: string): Promise<boolean> {
    const hasFactors =
      (await tx.existsBy(TotpSecret, { userId })) || (await tx.existsBy(Passkey, { userId }));
    if (!hasFactors) return false;
    const [passkeys, sessionsEnded] = await this.endSessionsAround(tx, userId, async () => {
      await deleteTotpAndRecoveryCodes(tx, userId);
      return (await tx.delete(Passkey, { userId })).affected ?? 0;
    });
    const details = { passkeys, sessions_ended: sessionsEnded };
    await recordUserAuditEvents(tx, actor, { userId, action: 'user.factors_removed', details });
    return true;
  }

  /**
   * Marks the address as proved, after a provider has said whose it is, or the person has opened a link of an operator or of a
   * mail. Whatever the user signs in with ends, because somebody else may have set it up with a copied link of an invitation.
   */
  async proveAddress(tx: EntityManager, actor: AuditActor, userId: string): Promise<void> {
    const proved = await tx.update(User, { id: userId, isAddressProved: false }, PROVED_WITHOUT_PASSWORD);
    if (proved.affected !== 1) return;
    const [, sessionsEnded] = await this.endSessionsAround(tx, userId, async () => {
      await deleteTotpAndRecoveryCodes(tx, userId);
      await tx.delete(Passkey, { userId });
      await tx.delete(ExternalIdentity, { userId });
      await deleteOneTimeLinksAndChallenges(tx, userId);
    });
    const details = { sessions_ended: sessionsEnded };
    await recordUserAuditEvents(tx, actor, { userId, action: 'user.sign_in_reset', details });
  }

  /**
   * Unlinks the person of the provider, so that another one can sign in as the user. Ends all sessions.
   * @returns false if there was none
   */
  async unlinkIdentities(tx: EntityManager, actor: AuditActor, userId: string): Promise<boolean> {
    const { affected } = await tx.delete(ExternalIdentity, { userId });
    if (!affected) return false;
    const details = { sessions_ended: await this.sessions.endAll(tx, userId) };
    await recordUserAuditEvents(tx, actor, { userId, action: 'user.identity_unlinked', details });
    return true;
  }

  /** Ends the sessions, links and open invitations of a user who is disabled. @returns false if the user is in that state already */
  async setDisabled(
    tx: EntityManager,
    actor: AuditActor,
    userId: string,
    disabled: boolean,
  ): Promise<boolean> {
    if (!(await setUserDisabled(tx, userId, disabled))) return false;
    const details = disabled ? await this.endAccess(tx, userId) : {};
    const action = disabled ? 'user.disabled' : 'user.enabled';
    await recordUserAuditEvents(tx, actor, { userId, action, details });
    return true;
  }

  /**
   * Ends all sessions before and after: one that is adding a factor at this moment either has added it already, or fails;
   * and the removal waits for a sign-in that uses a factor at this moment, whose session ends then.
   *
   * @returns the result of the removal, and the number of ended sessions
   */
  private async endSessionsAround<T>(
    tx: EntityManager,
    userId: string,
    removeFactors: () => Promise<T>,
  ): Promise<[T, number]> {
    const before = await this.sessions.endAll(tx, userId);
    const result = await removeFactors();
    return [result, before + (await this.sessions.endAll(tx, userId))];
  }

  /** Whoever is disabled must not come back by an invitation of their own. @returns for the audit log */
  private async endAccess(tx: EntityManager, userId: string): Promise<Record<string, number>> {
    await deleteOneTimeLinksAndChallenges(tx, userId);
    await this.sessions.endAll(tx, userId);
    const revoked = await endOpenInvitations(tx, { invitedBy: userId });
    return revoked > 0 ? { invitations_revoked: revoked } : {};
  }

  /**
   * Checks and hashes every password that is set. Call it outside of a transaction, which would keep a connection for long.
   * @throws ServiceError `validation_failed` (names `password`)
   */
  async hashNewPassword(password: string, user: { email: string; name: string }): Promise<string> {
    await assertStrongPassword(password, user);
    await this.breachedPasswords.assertNotBreached(password);
    return hashPassword(password);
  }
}
