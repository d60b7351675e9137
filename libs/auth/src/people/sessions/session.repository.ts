import { queryRows, UserSession } from '@app/database';
import { type DataSource, type EntityManager, Not } from 'typeorm';
import type { MemberRole } from '../members/permissions.js';

export interface SessionWithUserAndRole {
  sessionId: string;
  /** Hash of the cookie that the request has. */
  tokenHash: Buffer;
  userId: string;
  email: string;
  userName: string;
  /** Null while the user is a member of no account, or no longer of the one that the session shows. */
  accountId: string | null;
  role: MemberRole | null;
  /** Whether the account is suspended: its users read, but change nothing that costs. */
  isAccountSuspended: boolean;
  /** Who chose that users reach the account with two factors only; null if one is enough. */
  twoFactorsRequiredBy: 'service' | 'account' | null;
  /** Whether the user was verified by two factors, at the sign-in or later. */
  hasTwoFactors: boolean;
  hasPassword: boolean;
  /** Whether the user signed in a few minutes ago. */
  isRecent: boolean;
}

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  userId: string;
  hasTwoFactors: boolean;
  address: string | null;
  userAgent: string | null;
}

const RECENT_SECONDS = 600;

const IS_VALID = `session.expires_at > now() AND session.last_seen_at > now() - $2 * interval '1 second'
  AND app_user.disabled_at IS NULL`;

/** @param idleSeconds a session that was last used longer ago has ended */
export async function findSessionByTokenHash(
  db: DataSource,
  tokenHash: Buffer,
  idleSeconds: number,
): Promise<SessionWithUserAndRole | undefined> {
  const [row] = await queryRows<SessionWithUserAndRole>(
    db,
    `SELECT session.id AS "sessionId", session.token_hash AS "tokenHash", app_user.id AS "userId", email, app_user.name AS "userName",
       membership.account_id AS "accountId", role, password_hash IS NOT NULL AS "hasPassword",
       session.created_at > now() - $3 * interval '1 second' AS "isRecent",
       account.suspended_at IS NOT NULL AS "isAccountSuspended",
       CASE WHEN account.requires_two_factors THEN 'account' END AS "twoFactorsRequiredBy",
       session.two_factors AS "hasTwoFactors"
     FROM user_session session JOIN app_user ON app_user.id = session.user_id
     LEFT JOIN membership ON membership.user_id = app_user.id AND membership.account_id = session.account_id
     LEFT JOIN account ON account.id = membership.account_id
     WHERE session.token_hash = $1 AND ${IS_VALID}`,
    [tokenHash, idleSeconds, RECENT_SECONDS],
  );
  return row;
}

export interface SessionAccountAndRole {
  sessionId: string;
  accountId: string;
  role: MemberRole;
}

/**
 * Finds account and role of the sessions that have not ended, whose users are members of their accounts, and that have
 * the factors which these require.
 * @param requiresTwoFactors of everybody, whatever the account chose
 */
export async function findAccountsAndRolesOfSessions(
  db: DataSource,
  sessionIds: readonly string[],
  idleSeconds: number,
  requiresTwoFactors: boolean,
): Promise<SessionAccountAndRole[]> {
  return queryRows<SessionAccountAndRole>(
    db,
    `SELECT session.id AS "sessionId", membership.account_id AS "accountId", role
     FROM user_session session JOIN app_user ON app_user.id = session.user_id
     JOIN membership ON membership.user_id = app_user.id AND membership.account_id = session.account_id
     JOIN account ON account.id = membership.account_id
     WHERE session.id = ANY($1::uuid[]) AND ${IS_VALID}
       AND (session.two_factors OR NOT (account.requires_two_factors OR $3))`,
    [sessionIds, idleSeconds, requiresTwoFactors],
  );
}

/** Last used first; without those that have ended. */
export function listSessionsOfUser(
  { manager }: Pick<DataSource, 'manager'>,
  userId: string,
  idleSeconds: number,
): Promise<UserSession[]> {
  return manager
    .createQueryBuilder(UserSession, 'session')
    .where('session.userId = :userId', { userId })
    .andWhere('session.expiresAt > now()')
    .andWhere(`session.lastSeenAt > now() - :idleSeconds * interval '1 second'`, { idleSeconds })
    .orderBy('session.lastSeenAt', 'DESC')
    .getMany();
}

/** Opens the account that the user chose last, or else the one that the user joined first. */
export async function insertSession(
  db: EntityManager,
  { id, tokenHash, userId, hasTwoFactors, address, userAgent }: NewSession,
  lifetimeSeconds: number,
): Promise<void> {
  await db.query(
    `INSERT INTO user_session (id, token_hash, user_id, account_id, address, user_agent, expires_at, two_factors)
     SELECT $1, $2, $3, (
       SELECT membership.account_id FROM membership JOIN app_user ON app_user.id = membership.user_id
       WHERE membership.user_id = $3
       ORDER BY membership.account_id = last_account_id DESC NULLS LAST, membership.created_at LIMIT 1
     ), $4, $5, now() + $6 * interval '1 second', $7`,
    [id, tokenHash, userId, address, userAgent, lifetimeSeconds, hasTwoFactors],
  );
}

/** Writes at most once a minute, so that a page with many requests does not write with each. */
export async function touchSession(db: DataSource, sessionId: string): Promise<void> {
  await db.query(
    `UPDATE user_session SET last_seen_at = now() WHERE id = $1 AND last_seen_at < now() - interval '1 minute'`,
    [sessionId],
  );
}

/** Until the end of the transaction, nobody ends the session. @returns false if it has ended */
export async function lockSession(tx: EntityManager, sessionId: string): Promise<boolean> {
  const rows = await queryRows(tx, 'SELECT id FROM user_session WHERE id = $1 FOR NO KEY UPDATE', [
    sessionId,
  ]);
  return rows.length === 1;
}

/** @returns the user; undefined if they are not a member of the account, or the session has ended */
export async function setSessionAccount(
  db: DataSource,
  sessionId: string,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await queryRows<{ userId: string }>(
    db,
    `UPDATE user_session SET account_id = $2
     WHERE id = $1 AND EXISTS (
       SELECT FROM membership WHERE membership.user_id = user_session.user_id AND membership.account_id = $2)
     RETURNING user_id AS "userId"`,
    [sessionId, accountId],
  );
  return row?.userId;
}

/** @param kept number of sessions of the user that stay: those used most recently */
export async function deleteLeastRecentlyUsedSessions(
  db: EntityManager,
  userId: string,
  kept: number,
): Promise<void> {
  await db.query(
    `DELETE FROM user_session WHERE id IN (
       SELECT id FROM user_session WHERE user_id = $1 ORDER BY last_seen_at DESC, created_at DESC OFFSET $2)`,
    [userId, kept],
  );
}

/** @returns null if there is no such session */
export async function deleteSessionByTokenHash(
  db: EntityManager,
  tokenHash: Buffer,
): Promise<{ id: string; userId: string } | null> {
  const [deleted] = await queryRows<{ id: string; userId: string }>(
    db,
    'DELETE FROM user_session WHERE token_hash = $1 RETURNING id, user_id AS "userId"',
    [tokenHash],
  );
  return deleted ?? null;
}

/** @returns the number of ended sessions */
export async function deleteSessionsOfUser(
  db: EntityManager,
  userId: string,
  exceptSessionId?: string,
): Promise<number> {
  const where = exceptSessionId === undefined ? { userId } : { userId, id: Not(exceptSessionId) };
  return (await db.delete(UserSession, where)).affected ?? 0;
}
