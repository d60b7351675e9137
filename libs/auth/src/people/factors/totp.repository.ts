import { type EncryptedValue, queryRows, RecoveryCode, TotpEnrollment, TotpSecret } from '@app/database';
import type { EntityManager } from 'typeorm';

export interface EncryptedTotpSecretWithLastStep extends EncryptedValue {
  lastStep: number;
}

/** Locks the row of the app in use, so that a code is accepted once. */
export async function lockTotpSecret(
  tx: EntityManager,
  userId: string,
): Promise<EncryptedTotpSecretWithLastStep | undefined> {
  const [row] = await queryRows<EncryptedTotpSecretWithLastStep>(
    tx,
    `SELECT key_id AS "keyId", sealed, last_step AS "lastStep"
     FROM totp_secret WHERE user_id = $1 AND confirmed_at IS NOT NULL FOR UPDATE`,
    [userId],
  );
  return row;
}

export async function upsertTotpEnrollment(
  tx: EntityManager,
  userId: string,
  { keyId, sealed }: EncryptedValue,
): Promise<void> {
  await tx.upsert(TotpEnrollment, { userId, keyId, sealed, createdAt: () => 'now()' }, ['userId']);
}

/** Locks the row, so that it is enabled once. @returns undefined if there is none, or it began longer ago */
export async function lockOpenTotpEnrollment(
  tx: EntityManager,
  userId: string,
  lifetimeSeconds: number,
): Promise<EncryptedValue | undefined> {
  const [row] = await queryRows<EncryptedValue>(
    tx,
    `SELECT key_id AS "keyId", sealed FROM totp_enrollment
     WHERE user_id = $1 AND created_at > now() - $2 * interval '1 second' FOR UPDATE`,
    [userId, lifetimeSeconds],
  );
  return row;
}

/** The app that is set up takes the place of the one in use. @param step of the code that the app has shown */
export async function promoteTotpEnrollmentToSecret(
  tx: EntityManager,
  userId: string,
  step: number,
): Promise<void> {
  await tx.query(
    `WITH enabled AS (DELETE FROM totp_enrollment WHERE user_id = $1 RETURNING user_id, key_id, sealed)
     INSERT INTO totp_secret (user_id, key_id, sealed, last_step, confirmed_at)
     SELECT user_id, key_id, sealed, $2, now() FROM enabled
     ON CONFLICT (user_id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed,
       last_step = excluded.last_step, confirmed_at = excluded.confirmed_at`,
    [userId, step],
  );
}

export async function setLastTotpStep(tx: EntityManager, userId: string, step: number): Promise<void> {
  await tx.update(TotpSecret, { userId }, { lastStep: step });
}

export async function deleteTotpAndRecoveryCodes(tx: EntityManager, userId: string): Promise<boolean> {
  await tx.delete(RecoveryCode, { userId });
  await tx.delete(TotpEnrollment, { userId });
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
