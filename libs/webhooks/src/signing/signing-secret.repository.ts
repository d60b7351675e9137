import { type EncryptedValue, queryRows, WebhookPreviousSecret, WebhookSecret } from '@app/database';
import { type DataSource, type EntityManager, Raw } from 'typeorm';

export interface EncryptedSigningSecrets extends EncryptedValue {
  /** Null unless a previous secret is still valid. */
  previousKeyId: string | null;
  previousSealed: Buffer | null;
}

const SELECT_SECRETS = `
  SELECT secret.key_id AS "keyId", secret.sealed, previous.key_id AS "previousKeyId", previous.sealed AS "previousSealed"
  FROM webhook_secret secret
  LEFT JOIN webhook_previous_secret previous
    ON previous.account_id = secret.account_id AND previous.expires_at > now()
  WHERE secret.account_id = $1`;

export async function findEncryptedSigningSecrets(
  db: DataSource,
  accountId: string,
): Promise<EncryptedSigningSecrets | undefined> {
  const [row] = await queryRows<EncryptedSigningSecrets>(db, SELECT_SECRETS, [accountId]);
  return row;
}

/** @returns null without an overlap */
export async function findSigningSecretOverlapEnd(db: DataSource, accountId: string): Promise<Date | null> {
  const [row] = await queryRows<{ expiresAt: Date }>(
    db,
    `SELECT expires_at AS "expiresAt" FROM webhook_previous_secret WHERE account_id = $1 AND expires_at > now()`,
    [accountId],
  );
  return row?.expiresAt ?? null;
}

export async function lockSigningSecretRow(
  tx: EntityManager,
  accountId: string,
): Promise<EncryptedValue | undefined> {
  const locked = `SELECT key_id AS "keyId", sealed FROM webhook_secret WHERE account_id = $1 FOR UPDATE`;
  return (await queryRows<EncryptedValue>(tx, locked, [accountId]))[0];
}

export async function upsertSigningSecret(
  tx: EntityManager,
  accountId: string,
  secret: EncryptedValue,
): Promise<void> {
  const row = { accountId, keyId: secret.keyId, sealed: secret.sealed, createdAt: () => 'now()' };
  await tx.upsert(WebhookSecret, row, ['accountId']);
}

export async function insertSigningSecretIfAbsent(
  { manager }: DataSource,
  accountId: string,
  { keyId, sealed }: EncryptedValue,
): Promise<void> {
  const insert = manager.createQueryBuilder().insert().into(WebhookSecret);
  await insert.values({ accountId, keyId, sealed }).orIgnore().execute();
}

/**
 * Keeps the current secret as the previous one and deletes an older previous one.
 * @returns the time of expiry; null without an overlap, or without a secret
 */
export async function replacePreviousWithCurrentSigningSecret(
  tx: EntityManager,
  accountId: string,
  overlapSeconds: number,
): Promise<Date | null> {
  await tx.delete(WebhookPreviousSecret, { accountId });
  if (overlapSeconds === 0) return null;
  const [row] = await queryRows<{ expiresAt: Date }>(
    tx,
    `INSERT INTO webhook_previous_secret (account_id, key_id, sealed, expires_at)
     SELECT account_id, key_id, sealed, now() + $2 * interval '1 second' FROM webhook_secret WHERE account_id = $1
     RETURNING expires_at AS "expiresAt"`,
    [accountId, overlapSeconds],
  );
  return row?.expiresAt ?? null;
}

/** @returns the number of deleted secrets */
export async function purgeExpiredPreviousSigningSecrets({ manager }: DataSource): Promise<number> {
  const isOver = { expiresAt: Raw((expiresAt) => `${expiresAt} <= now()`) };
  return (await manager.delete(WebhookPreviousSecret, isOver)).affected ?? 0;
}
