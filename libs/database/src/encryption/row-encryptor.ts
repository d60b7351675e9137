import type { DataSource } from 'typeorm';
import { queryRows } from '../query-rows.js';
import { DecryptionError, type EncryptedValue, type Encryptor } from './encryptor.js';

/** A table with an encrypted value in the columns `key_id` and `sealed`. */
export interface EncryptedTable {
  table: string;
  /** Primary key, to which the value is bound. */
  key: readonly string[];
  /** For operators. */
  describe: (key: readonly string[]) => string;
}

export const ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE: EncryptedTable = {
  table: 'idempotency_key',
  key: ['account_id', 'route', 'key'],
  describe: ([accountId, route, key]) => `Answer to ${route} under the key "${key}" of account ${accountId}`,
};

export const ENCRYPTED_WEBHOOK_BODIES_TABLE: EncryptedTable = {
  table: 'webhook_delivery',
  key: ['id'],
  describe: ([id]) => `Text of webhook ${id}`,
};

export const ENCRYPTED_WEBHOOK_ATTEMPTS_TABLE: EncryptedTable = {
  table: 'webhook_attempt',
  key: ['delivery_id', 'number'],
  describe: ([deliveryId, number]) => `Request and response of attempt ${number} of webhook ${deliveryId}`,
};

export const ENCRYPTED_HASHING_KEY_TABLE: EncryptedTable = {
  table: 'hashing_key',
  key: ['id'],
  describe: () => 'The key that API keys are hashed with',
};

/** Bound to the account, as current secrets are, so that a rotation moves a secret unchanged. */
export const ENCRYPTED_PREVIOUS_SIGNING_SECRETS_TABLE: EncryptedTable = {
  table: 'webhook_previous_secret',
  key: ['account_id'],
  describe: ([accountId]) => `Previous signing secret of account ${accountId}`,
};

export const ENCRYPTED_SIGNING_SECRETS_TABLE: EncryptedTable = {
  table: 'webhook_secret',
  key: ['account_id'],
  describe: ([accountId]) => `Signing secret of account ${accountId}`,
};

export const ENCRYPTED_TOTP_SECRETS_TABLE: EncryptedTable = {
  table: 'totp_secret',
  key: ['user_id'],
  describe: ([userId]) => `Secret of the authenticator app of user ${userId}`,
};

/** Bound to the user, as secrets in use are, so that enabling the app moves its secret unchanged. */
const ENCRYPTED_TOTP_ENROLLMENTS_TABLE: EncryptedTable = {
  table: 'totp_enrollment',
  key: ['user_id'],
  describe: ([userId]) => `Secret of the authenticator app that user ${userId} is setting up`,
};

interface EncryptedRow extends EncryptedValue {
  key: string[];
}

/** Encrypts values of one table, each bound to the primary key of its row. */
export class RowEncryptor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly encryptor: Encryptor,
    private readonly encryptedTable: EncryptedTable,
  ) {}

  /** @param key primary key, in the order of the columns */
  encrypt(key: readonly string[], secret: Buffer): EncryptedValue {
    return this.encryptor.encrypt(secret, key.join(' '));
  }

  /** @throws DecryptionError with the description of the row */
  decrypt(key: readonly string[], sealed: EncryptedValue): Buffer {
    try {
      return this.encryptor.decrypt(sealed, key.join(' '));
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      throw new DecryptionError(`${this.encryptedTable.describe(key)}: ${error.message}`, { cause: error });
    }
  }

  /**
   * Writes only if the key is retired and the value unchanged since it was read.
   * @returns false if nothing was written
   * @throws DecryptionError
   */
  async reencrypt(key: readonly string[], old: EncryptedValue): Promise<boolean> {
    if (!this.encryptor.isOutdated(old)) return false;
    const { keyId, sealed } = this.encrypt(key, this.decrypt(key, old));
    const { table, key: columns } = this.encryptedTable;
    const row = columns.map((column, at) => `${column} = $${at + 4}`).join(' AND ');
    const written = await queryRows(
      this.dataSource,
      `UPDATE ${table} SET key_id = $2, sealed = $3 WHERE sealed = $1 AND ${row} RETURNING key_id`,
      [old.sealed, keyId, sealed, ...key],
    );
    return written.length === 1;
  }

  /**
   * Can be interrupted and repeated, and can run while the service writes the same rows.
   * @param batch rows at a time
   * @returns the number of re-encrypted rows
   * @throws DecryptionError with the row that no key decrypts; earlier rows are done
   */
  async reencryptAll(batch = 100): Promise<number> {
    let moved = 0;
    for (let after: string[] = []; ;) {
      const rows = await this.findOutdatedAfter(after, batch);
      for (const { key, ...old } of rows) if (await this.reencrypt(key, old)) moved += 1;
      after = rows.at(-1)?.key ?? after;
      if (rows.length < batch) return moved;
    }
  }

  async countOutdated(): Promise<number> {
    const [row] = await queryRows<{ left: number }>(
      this.dataSource,
      `SELECT count(*) AS left FROM ${this.encryptedTable.table} WHERE key_id <> $1`,
      [this.encryptor.currentId],
    );
    return row?.left ?? 0;
  }

  private findOutdatedAfter(after: readonly string[], batch: number): Promise<EncryptedRow[]> {
    const { table, key } = this.encryptedTable;
    const columns = key.join(', ');
    const last = after.map((_, at) => `$${at + 3}`).join(', ');
    return queryRows<EncryptedRow>(
      this.dataSource,
      `SELECT ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS key, key_id AS "keyId", sealed
       FROM ${table} WHERE key_id <> $1 ${after.length > 0 ? `AND (${columns}) > (${last})` : ''}
       ORDER BY ${columns} LIMIT $2`,
      [this.encryptor.currentId, batch, ...after],
    );
  }
}

/** Without the hashing key of API keys, which has its own key. */
export const TABLES_ENCRYPTED_WITH_ENCRYPTION_KEY: readonly EncryptedTable[] = [
  ENCRYPTED_SIGNING_SECRETS_TABLE,
  ENCRYPTED_PREVIOUS_SIGNING_SECRETS_TABLE,
  ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE,
  ENCRYPTED_WEBHOOK_BODIES_TABLE,
  ENCRYPTED_WEBHOOK_ATTEMPTS_TABLE,
  ENCRYPTED_TOTP_SECRETS_TABLE,
  ENCRYPTED_TOTP_ENROLLMENTS_TABLE,
];

/** One for each of `TABLES_ENCRYPTED_WITH_ENCRYPTION_KEY`. */
export function createRowEncryptors(dataSource: DataSource, encryptor: Encryptor): RowEncryptor[] {
  return TABLES_ENCRYPTED_WITH_ENCRYPTION_KEY.map((table) => new RowEncryptor(dataSource, encryptor, table));
}
