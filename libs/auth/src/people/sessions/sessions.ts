import { randomUUID } from 'node:crypto';
import { inTransaction, User, UserSession } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAuditEvent } from '../../audit/audit-log.repository.js';
import { generateSecretToken, hashSecretToken } from '../secret-token.js';
import {
  deleteLeastRecentlyUsedSessions,
  deleteSessionByTokenHash,
  deleteSessionsOfUser,
  findAccountsAndRolesOfSessions,
  findSessionByTokenHash,
  insertSession,
  listSessionsOfUser,
  lockSession,
  type SessionAccountAndRole,
  type SessionWithUserAndRole,
  setSessionAccount,
  touchSession,
} from './session.repository.js';

/** Where a request comes from; kept with the session, and in the audit log. */
export interface ClientInfo {
  address: string | null;
  userAgent: string | null;
}

export interface SessionOptions {
  /** Seconds until a session ends, however active. */
  lifetimeSeconds: number;
  /** Seconds without a request after which a session ends. */
  idleSeconds: number;
  /** Whether every user needs two factors, whatever the account chose. Default: the account chooses. */
  requiresTwoFactors?: boolean;
}

export type SessionIdAndTokenHash = Pick<SessionWithUserAndRole, 'sessionId' | 'tokenHash'>;

const MAX_USER_AGENT_LENGTH = 256;
/** Sessions of one user. A sign-in above the limit ends the session that was used longest ago. */
export const MAX_SESSIONS_PER_USER = 100;

/** Sessions of signed-in browsers. The cookie has the token, the row its hash. */
export class Sessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly options: SessionOptions,
  ) {}

  /** @returns the token for the cookie */
  async create(
    tx: EntityManager,
    { userId, hasTwoFactors }: { userId: string; hasTwoFactors: boolean },
    { address, userAgent }: ClientInfo,
  ): Promise<string> {
    const token = generateSecretToken();
    const session = {
      id: randomUUID(),
      tokenHash: token.hash,
      userId,
      hasTwoFactors,
      address,
      userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    };
    await insertSession(tx, session, this.options.lifetimeSeconds);
    await deleteLeastRecentlyUsedSessions(tx, userId, MAX_SESSIONS_PER_USER);
    return token.text;
  }

  /**
   * Marks a session as verified by two factors, after its user was verified by the other one as well.
   * @param session with the token that it had when its request was read
   * @returns the new token for the cookie; the one before is void, so that who has seen it gains nothing
   * @throws ServiceError `not_signed_in` if the session has ended or got another token meanwhile, whose cookie then counts
   */
  async renewWithTwoFactors(
    tx: EntityManager,
    { sessionId, tokenHash }: SessionIdAndTokenHash,
  ): Promise<string> {
    const token = generateSecretToken();
    const renewed = { tokenHash: token.hash, hasTwoFactors: true };
    const { affected } = await tx.update(UserSession, { id: sessionId, tokenHash }, renewed);
    if (affected !== 1)
      throw new ServiceError('not_signed_in', {
        detail: 'The session has ended, or another request has renewed it meanwhile. Try again.',
      });
    return token.text;
  }

  /**
   * Gives a session a new token after its user was verified again.
   * @param tokenHash that the session had when its request was read
   * @returns as `renewWithTwoFactors`; null if another request has renewed the token meanwhile, whose cookie then counts
   * @throws ServiceError `not_signed_in` if the session has ended
   */
  async renew({ sessionId, tokenHash }: SessionIdAndTokenHash): Promise<string | null> {
    const token = generateSecretToken();
    const renewed = { tokenHash: token.hash };
    const { affected } = await this.dataSource.manager.update(
      UserSession,
      { id: sessionId, tokenHash },
      renewed,
    );
    if (affected === 1) return token.text;
    await this.assertNotEnded(sessionId);
    return null;
  }

  /** @throws ServiceError `not_signed_in` */
  async assertNotEnded(sessionId: string): Promise<void> {
    if (!(await this.dataSource.manager.existsBy(UserSession, { id: sessionId })))
      throw createSessionEndedError();
  }

  /** Until the end of the transaction, nobody ends the session. @throws ServiceError `not_signed_in` if it has ended */
  async lock(tx: EntityManager, sessionId: string): Promise<void> {
    if (!(await lockSession(tx, sessionId))) throw createSessionEndedError();
  }

  /** Also records that the session was used. @returns null if it is unknown or has ended, or its user is disabled */
  async findByToken(token: string): Promise<SessionWithUserAndRole | null> {
    const hash = hashSecretToken(token);
    const session = hash && (await findSessionByTokenHash(this.dataSource, hash, this.options.idleSeconds));
    if (!session) return null;
    await touchSession(this.dataSource, session.sessionId);
    return this.requiresTwoFactors ? { ...session, twoFactorsRequiredBy: 'service' } : session;
  }

  /** The account and role that each session gives now; none for a session that has ended. */
  findAccess(sessionIds: readonly string[]): Promise<SessionAccountAndRole[]> {
    const { idleSeconds } = this.options;
    return findAccountsAndRolesOfSessions(this.dataSource, sessionIds, idleSeconds, this.requiresTwoFactors);
  }

  /** Last used first; without those that have ended. */
  list(userId: string): Promise<UserSession[]> {
    return listSessionsOfUser(this.dataSource, userId, this.options.idleSeconds);
  }

  /** The next sign-in opens the account, too. @returns false if the user is not a member of it */
  async switchAccount(sessionId: string, accountId: string): Promise<boolean> {
    const userId = await setSessionAccount(this.dataSource, sessionId, accountId);
    if (userId === undefined) return false;
    // Not in one transaction: a new password locks the user first, and the sessions afterwards.
    await this.dataSource.manager.update(User, { id: userId }, { lastAccountId: accountId });
    return true;
  }

  /** @returns false if the user has no such session */
  async end(tx: EntityManager, userId: string, sessionId: string): Promise<boolean> {
    return (await tx.delete(UserSession, { id: sessionId, userId })).affected === 1;
  }

  /** A token that is no session is no error. */
  async endByToken(token: string, { address }: Pick<ClientInfo, 'address'>): Promise<void> {
    const tokenHash = hashSecretToken(token);
    if (!tokenHash) return;
    await inTransaction(this.dataSource, async (tx) => {
      const session = await deleteSessionByTokenHash(tx, tokenHash);
      if (!session) return;
      const actor = { kind: 'user', id: session.userId, name: null, address, requestId: null } as const;
      await recordAuditEvent(tx, actor, { accountId: null, action: 'user.signed_out', target: session.id });
    });
  }

  /** @returns the number of ended sessions */
  endAll(tx: EntityManager, userId: string, exceptSessionId?: string): Promise<number> {
    return deleteSessionsOfUser(tx, userId, exceptSessionId);
  }

  private get requiresTwoFactors(): boolean {
    return this.options.requiresTwoFactors ?? false;
  }
}

function createSessionEndedError(): ServiceError {
  return new ServiceError('not_signed_in', { detail: 'The session has ended. Sign in again.' });
}
