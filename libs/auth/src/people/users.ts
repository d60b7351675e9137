import { randomUUID } from 'node:crypto';
import { ExternalIdentity, getSqlState, Passkey, OneTimeLink, User } from '@app/database';
import { invalidFieldError, ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../audit/audit-log.repository.js';
import type { BreachedPasswords } from './breached-passwords.js';
import { assertAcceptablePassword, hashPassword } from './password.js';
import type { Sessions } from './sessions.js';
import { deleteTotpAndRecoveryCodes } from './totp.repository.js';
import {
  findUserByEmail,
  listUsers,
  normalizeEmail,
  setUserDisabled,
  setUserPasswordHash,
  type UserWithAccounts,
} from './user.repository.js';

const UNIQUE_VIOLATION = '23505';
const MAX_EMAIL_LENGTH = 254;
const PROVED_WITHOUT_PASSWORD = { isAddressProved: true, passwordHash: null };
const EMAIL_PATTERN = /^[^\s@"<>]{1,64}@[^\s@"<>]+\.[^\s@"<>.]+$|^[^\s@"<>]{1,64}@localhost$/;

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
      password,
      isAddressProved,
    }: { email: string; name: string; password?: string; isAddressProved: boolean },
  ): Promise<string> {
    const email = normalizeEmail(given);
    if (email.length > MAX_EMAIL_LENGTH || !EMAIL_PATTERN.test(email))
      throw invalidFieldError('email', 'must be a mail address');
    const passwordHash =
      password === undefined ? null : await this.hashNewPassword(password, { email, name });
    const id = randomUUID();
    try {
      await tx.insert(User, { id, email, name: name.trim() || email, passwordHash, isAddressProved });
    } catch (error) {
      if (getSqlState(error) !== UNIQUE_VIOLATION) throw error;
      throw new ServiceError('conflict', { detail: `There is a user ${email} already.`, cause: error });
    }
    await recordAuditEvent(tx, actor, {
      accountId: null,
      action: 'user.created',
      target: id,
      details: { email },
    });
    return id;
  }

  /** In all accounts of the user. */
  async rename(tx: EntityManager, actor: AuditActor, userId: string, given: string): Promise<void> {
    const name = given.trim();
    const { name: from } = await tx.findOneByOrFail(User, { id: userId });
    await tx.update(User, { id: userId }, { name });
    const entry = { accountId: null, action: 'user.renamed', target: userId, details: { from, to: name } };
    await recordAuditEvent(tx, actor, entry);
  }

  /** Ends all sessions of the user except the given one. @throws ServiceError `validation_failed` */
  async setPassword(
    tx: EntityManager,
    actor: AuditActor,
    { userId, password, sessionId }: { userId: string; password: string; sessionId?: string },
  ): Promise<void> {
    const user = await tx.findOneByOrFail(User, { id: userId });
    await setUserPasswordHash(tx, userId, await this.hashNewPassword(password, user));
    const ended = await this.sessions.endAll(tx, userId, sessionId);
    const entry = { accountId: null, action: 'user.password_changed', target: userId };
    await recordAuditEvent(tx, actor, { ...entry, details: { sessions_ended: ended } });
  }

  /** For who has lost them: no app, recovery codes and passkeys. Ends all sessions. @returns false if there were none */
  async removeFactors(tx: EntityManager, actor: AuditActor, userId: string): Promise<boolean> {
    const hadApp = await deleteTotpAndRecoveryCodes(tx, userId);
    const passkeys = (await tx.delete(Passkey, { userId })).affected ?? 0;
    if (!hadApp && passkeys === 0) return false;
    const sessions_ended = await this.sessions.endAll(tx, userId);
    const entry = { accountId: null, action: 'user.factors_removed', target: userId };
    await recordAuditEvent(tx, actor, { ...entry, details: { passkeys, sessions_ended } });
    return true;
  }

  /**
   * After a provider has said whose the address is: whoever had the link of an invitation may have set up password, app and
   * passkeys. Ends all sessions.
   */
  async proveAddress(tx: EntityManager, actor: AuditActor, userId: string): Promise<void> {
    const proved = await tx.update(User, { id: userId, isAddressProved: false }, PROVED_WITHOUT_PASSWORD);
    if (proved.affected !== 1) return;
    await deleteTotpAndRecoveryCodes(tx, userId);
    await tx.delete(Passkey, { userId });
    await tx.delete(OneTimeLink, { userId });
    const sessions_ended = await this.sessions.endAll(tx, userId);
    const entry = { accountId: null, action: 'user.sign_in_reset', target: userId };
    await recordAuditEvent(tx, actor, { ...entry, details: { sessions_ended } });
  }

  /** So that another person of the provider can sign in as the user. Ends all sessions. @returns false if there was none */
  async unlinkIdentities(tx: EntityManager, actor: AuditActor, userId: string): Promise<boolean> {
    const { affected } = await tx.delete(ExternalIdentity, { userId });
    if (!affected) return false;
    const sessions_ended = await this.sessions.endAll(tx, userId);
    const entry = { accountId: null, action: 'user.identity_unlinked', target: userId };
    await recordAuditEvent(tx, actor, { ...entry, details: { sessions_ended } });
    return true;
  }

  /** Ends the sessions of a user who is disabled. @returns false if the user is in that state already */
  async setDisabled(
    tx: EntityManager,
    actor: AuditActor,
    userId: string,
    disabled: boolean,
  ): Promise<boolean> {
    if (!(await setUserDisabled(tx, userId, disabled))) return false;
    if (disabled) await this.sessions.endAll(tx, userId);
    const action = disabled ? 'user.disabled' : 'user.enabled';
    await recordAuditEvent(tx, actor, { accountId: null, action, target: userId });
    return true;
  }

  /** Every password that is set comes through here. */
  private async hashNewPassword(password: string, user: { email: string; name: string }): Promise<string> {
    assertAcceptablePassword(password, user);
    await this.breachedPasswords.assertNotBreached(password);
    return hashPassword(password);
  }
}
