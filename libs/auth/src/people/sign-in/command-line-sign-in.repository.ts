import { type CommandLineSignIn, queryRows } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { MemberRole } from '../members/permissions.js';

export async function insertCommandLineSignIn(
  db: EntityManager,
  row: Pick<CommandLineSignIn, 'deviceCodeHash' | 'userCodeHash' | 'machine' | 'address'>,
  lifetimeSeconds: number,
): Promise<void> {
  await db.query(
    `INSERT INTO command_line_sign_in (device_code_hash, user_code_hash, machine, address, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [row.deviceCodeHash, row.userCodeHash, row.machine, row.address, lifetimeSeconds],
  );
}

const IS_WAITING = 'user_code_hash = $1 AND approved_by IS NULL AND expires_at > now()';

export type PendingCommandLineSignIn = Pick<CommandLineSignIn, 'machine' | 'address' | 'expiresAt'>;

/** @returns undefined if the code is unknown or expired, or was approved or refused */
export async function findPendingCommandLineSignIn(
  db: EntityManager,
  userCodeHash: Buffer,
): Promise<PendingCommandLineSignIn | undefined> {
  const [row] = await queryRows<PendingCommandLineSignIn>(
    db,
    `SELECT machine, address, expires_at AS "expiresAt" FROM command_line_sign_in WHERE ${IS_WAITING}`,
    [userCodeHash],
  );
  return row;
}

/** @returns undefined as `findPendingCommandLineSignIn` */
export async function approvePendingCommandLineSignIn(
  tx: EntityManager,
  userCodeHash: Buffer,
  key: { accountId: string; userId: string; name: string; expiresAt: Date | null },
): Promise<{ machine: string } | undefined> {
  const [row] = await queryRows<{ machine: string }>(
    tx,
    `UPDATE command_line_sign_in SET account_id = $2, approved_by = $3, key_name = $4, key_expires_at = $5
     WHERE ${IS_WAITING} RETURNING machine`,
    [userCodeHash, key.accountId, key.userId, key.name, key.expiresAt],
  );
  return row;
}

/** @returns the name of the machine; null as `findPendingCommandLineSignIn` */
export async function deletePendingCommandLineSignIn(
  db: EntityManager,
  userCodeHash: Buffer,
): Promise<string | null> {
  const [deleted] = await queryRows<{ machine: string }>(
    db,
    `DELETE FROM command_line_sign_in WHERE ${IS_WAITING} RETURNING machine`,
    [userCodeHash],
  );
  return deleted?.machine ?? null;
}

export interface CommandLineSignInWithApprover {
  machine: string;
  /** Whether the interval since the last poll was too short. */
  isTooSoon: boolean;
  /** Null until it is approved. */
  keyName: string | null;
  keyExpiresAt: Date | null;
  accountId: string | null;
  userId: string | null;
  email: string | null;
  /** Null if who approved is disabled, no member any more, or the account is suspended. */
  role: MemberRole | null;
}

/** Locks the row, so that of two requests one gets the key. @returns undefined if it is unknown, used or expired */
export async function lockCommandLineSignInRow(
  tx: EntityManager,
  deviceCodeHash: Buffer,
  intervalSeconds: number,
): Promise<CommandLineSignInWithApprover | undefined> {
  const [row] = await queryRows<CommandLineSignInWithApprover>(
    tx,
    `SELECT machine, COALESCE(polled_at > now() - $2 * interval '1 second', false) AS "isTooSoon",
       key_name AS "keyName", key_expires_at AS "keyExpiresAt", waiting.account_id AS "accountId",
       approved_by AS "userId", email,
       CASE WHEN disabled_at IS NULL AND suspended_at IS NULL THEN role END AS role
     FROM command_line_sign_in waiting
     LEFT JOIN app_user ON app_user.id = approved_by
     LEFT JOIN account ON account.id = waiting.account_id
     LEFT JOIN membership ON membership.user_id = approved_by AND membership.account_id = waiting.account_id
     WHERE device_code_hash = $1 AND expires_at > now() FOR UPDATE OF waiting`,
    [deviceCodeHash, intervalSeconds],
  );
  return row;
}

export async function recordCommandLinePoll(tx: EntityManager, deviceCodeHash: Buffer): Promise<void> {
  await tx.query('UPDATE command_line_sign_in SET polled_at = now() WHERE device_code_hash = $1', [
    deviceCodeHash,
  ]);
}

export async function deleteCommandLineSignIn(tx: EntityManager, deviceCodeHash: Buffer): Promise<void> {
  await tx.query('DELETE FROM command_line_sign_in WHERE device_code_hash = $1', [deviceCodeHash]);
}
