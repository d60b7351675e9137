import { type EncryptedValue, queryRows, RecoveryCode, TotpSecret } from '@app/database';
import type { EntityManager } from 'typeorm';

export interface TotpRow extends EncryptedValue {
  confirmed: boolean;
  lastStep: number;
}

/** Locks the row, so that a code is accepted once. */
export async function lockTotpSecret(tx: EntityManager, userId: string): Promise<TotpRow | undefined> {
  const [row] = await queryRows<TotpRow>(
    tx,
    `SELECT key_id AS "keyId", sealed, confirmed_at IS NOT NULL AS confirmed, last_step AS "lastStep"
     FROM totp_secret WHERE user_id = $1 FOR UPDATE`,
    [userId],
  );
  return row;
}

/** Replaces a secret that was not confirmed. @returns false if a confirmed one exists */
export async function upsertUnconfirmedTotpSecret(
  tx: EntityManager,
  userId: string,
  { keyId, sealed }: EncryptedValue,
): Promise<boolean> {
  const rows = await queryRows(
    tx,
    `INSERT INTO totp_secret (user_id, key_id, sealed) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, last_step = 0
     WHERE totp_secret.confirmed_at IS NULL RETURNING user_id`,
    [userId, keyId, sealed],
  );
  return rows.length === 1;
}

/** Confirms the secret with the first accepted code. */
export async function recordAcceptedTotpStep(tx: EntityManager, userId: string, step: number): Promise<void> {
  await tx.query(
    `UPDATE totp_secret SET last_step = $2, confirmed_at = COALESCE(confirmed_at, now()) WHERE user_id = $1`,
    [userId, step],
  );
}

export async function deleteSecondFactor(tx: EntityManager, userId: string): Promise<boolean> {
  await tx.delete(RecoveryCode, { userId });
  return (await tx.delete(TotpSecret, { userId })).affected === 1;
}

export async function replaceRecoveryCodes(
  tx: EntityManager,
  userId: string,
  codeHashes: readonly Buffer[],
): Promise<void> {
  await tx.delete(RecoveryCode, { userId });
  await tx.insert(
    RecoveryCode,
    codeHashes.map((codeHash) => ({ codeHash, userId })),
  );
}

/** @returns false if the user has no such code */
export async function consumeRecoveryCode(
  tx: EntityManager,
  userId: string,
  codeHash: Buffer,
): Promise<boolean> {
  return (await tx.delete(RecoveryCode, { userId, codeHash })).affected === 1;
}

export function countRecoveryCodes(tx: EntityManager, userId: string): Promise<number> {
  return tx.countBy(RecoveryCode, { userId });
}

export async function hasConfirmedTotpSecret(tx: EntityManager, userId: string): Promise<boolean> {
  const [row] = await queryRows<{ exists: boolean }>(
    tx,
    'SELECT EXISTS (SELECT FROM totp_secret WHERE user_id = $1 AND confirmed_at IS NOT NULL) AS exists',
    [userId],
  );
  return row?.exists === true;
}
