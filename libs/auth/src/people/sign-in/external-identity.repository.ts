import { ExternalIdentity, queryRows, type User } from '@app/database';
import type { EntityManager } from 'typeorm';

/** Until the end of the transaction, nobody unlinks the identity. @returns the user, also a disabled one */
export async function lockExternalIdentityAndFindUser(
  tx: EntityManager,
  issuer: string,
  subject: string,
): Promise<Pick<User, 'id' | 'disabledAt'> | undefined> {
  const [row] = await queryRows<Pick<User, 'id' | 'disabledAt'>>(
    tx,
    `SELECT app_user.id, disabled_at AS "disabledAt" FROM external_identity
     JOIN app_user ON app_user.id = external_identity.user_id WHERE issuer = $1 AND subject = $2
     FOR SHARE OF external_identity`,
    [issuer, subject],
  );
  return row;
}

/** Whether somebody of the provider signs in as the user. */
export function hasExternalIdentityAtIssuer(
  tx: EntityManager,
  issuer: string,
  userId: string,
): Promise<boolean> {
  return tx.existsBy(ExternalIdentity, { issuer, userId });
}
