import { randomUUID } from 'node:crypto';
import { inTransaction, UserSession } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAuditEvent } from '../audit/audit-log.repository.js';
import { generateSecretToken, hashSecretToken } from './secret-token.js';
import {
  deleteSessionByTokenHash,
  deleteSessionsOfUser,
  findAccountsAndRolesOfSessions,
  findSessionByTokenHash,
  insertSession,
  listSessionsOfUser,
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
}

const MAX_USER_AGENT_LENGTH = 256;

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
    return token.text;
  }

  /**
   * After the user of a session was verified by the other factor as well.
   * @returns the new token for the cookie; the one before is void, so that who has seen it gains nothing
   */
  async renewWithTwoFactors(tx: EntityManager, sessionId: string): Promise<string> {
    const token = generateSecretToken();
    await tx.update(UserSession, { id: sessionId }, { tokenHash: token.hash, hasTwoFactors: true });
    return token.text;
  }

  /** Also records that the session was used. @returns null if it is unknown or has ended, or its user is disabled */
  async findByToken(token: string): Promise<SessionWithUserAndRole | null> {
    const hash = hashSecretToken(token);
    const session = hash && (await findSessionByTokenHash(this.dataSource, hash, this.options.idleSeconds));
    if (!session) return null;
    await touchSession(this.dataSource, session.sessionId);
    return session;
  }

  /** The account and role that each session gives now; none for a session that has ended. */
  findAccess(sessionIds: readonly string[]): Promise<SessionAccountAndRole[]> {
    return findAccountsAndRolesOfSessions(this.dataSource, sessionIds, this.options.idleSeconds);
  }

  /** Last used first; without those that have ended. */
  list(userId: string): Promise<UserSession[]> {
    return listSessionsOfUser(this.dataSource, userId, this.options.idleSeconds);
  }

  /** @returns false if the user is not a member of the account */
  switchAccount(sessionId: string, accountId: string): Promise<boolean> {
    return setSessionAccount(this.dataSource, sessionId, accountId);
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
}
