import {
  ENCRYPTED_PREVIOUS_SECRETS,
  type EncryptedValue,
  EncryptedRows,
  type Encryptor,
} from '@app/database';
import type { DataSource } from 'typeorm';

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

  /** As `EncryptedRows`. */
  reencryptAll(batch?: number): Promise<number> {
    return this.rows.reencryptAll(batch);
  }

  /** As `EncryptedRows`. */
  countOutdated(): Promise<number> {
    return this.rows.countOutdated();
  }
}
