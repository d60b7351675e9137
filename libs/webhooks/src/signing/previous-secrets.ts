import {
  queryRows,
  ENCRYPTED_PREVIOUS_SECRETS,
  type EncryptedValue,
  EncryptedRows,
  type Encryptor,
} from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** Deletes previous secrets whose overlap is over. @returns how many */
export async function purgeExpiredPreviousSecrets(dataSource: DataSource): Promise<number> {
  const forgotten = await queryRows(
    dataSource,
    'DELETE FROM webhook_previous_secret WHERE expires_at <= now() RETURNING key_id',
  );
  return forgotten.length;
}

/** The secrets that were rotated with an overlap, until the overlap ends: one an account at most. */
export class PreviousSecrets {
  private readonly rows: EncryptedRows;

  constructor(dataSource: DataSource, sealer: Encryptor) {
    this.rows = new EncryptedRows(dataSource, sealer, ENCRYPTED_PREVIOUS_SECRETS);
  }

  /** @throws DecryptionError when it was sealed with a key that is gone */
  open(accountId: string, sealed: EncryptedValue): string {
    return this.rows.decrypt([accountId], sealed).toString();
  }

  /**
   * Makes the account's current secret, which is about to be replaced, its previous one. Without an overlap there is
   * none any more: the one of an earlier rotation ends as well.
   * @param overlapSeconds from now on
   * @returns when it expires; null without an overlap, or without a secret
   */
  async replace(tx: EntityManager, accountId: string, overlapSeconds: number): Promise<Date | null> {
    await queryRows(tx, 'DELETE FROM webhook_previous_secret WHERE account_id = $1 RETURNING key_id', [
      accountId,
    ]);
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

  /** As `EncryptedRows`. */
  reencryptAll(batch?: number): Promise<number> {
    return this.rows.reencryptAll(batch);
  }

  /** As `EncryptedRows`. */
  countOutdated(): Promise<number> {
    return this.rows.countOutdated();
  }
}
