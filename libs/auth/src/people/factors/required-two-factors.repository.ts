import { Account, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** An authenticator app, or a passkey. */
const CAN_PROVE_TWO_FACTORS = `(
  EXISTS (SELECT FROM totp_secret WHERE totp_secret.user_id = app_user.id AND confirmed_at IS NOT NULL)
  OR EXISTS (SELECT FROM passkey WHERE passkey.user_id = app_user.id))`;

export interface TwoFactorRequirementStatus {
  /** A passkey counts as two. */
  canProveTwoFactors: boolean;
  /** Name of an account of the user that requires two factors; null if none does. */
  requiringAccount: string | null;
}

export async function readTwoFactorRequirementStatus(
  db: DataSource | EntityManager,
  userId: string,
): Promise<TwoFactorRequirementStatus> {
  const [row] = await queryRows<TwoFactorRequirementStatus>(
    db,
    `SELECT ${CAN_PROVE_TWO_FACTORS} AS "canProveTwoFactors", (
       SELECT account.name FROM membership JOIN account ON account.id = membership.account_id
       WHERE membership.user_id = app_user.id AND account.requires_two_factors
       ORDER BY account.name LIMIT 1) AS "requiringAccount"
     FROM app_user WHERE id = $1`,
    [userId],
  );
  return row ?? { canProveTwoFactors: false, requiringAccount: null };
}

/** Locks the user, so that of two removals of factors at the same time the second one sees the first. */
export async function lockUserRow(tx: EntityManager, userId: string): Promise<void> {
  await tx.query('SELECT FROM app_user WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}

/** @returns false if the account is in that state already */
export async function setAccountRequiresTwoFactors(
  tx: EntityManager,
  accountId: string,
  required: boolean,
): Promise<boolean> {
  const where = { id: accountId, requiresTwoFactors: !required };
  return (await tx.update(Account, where, { requiresTwoFactors: required })).affected === 1;
}
