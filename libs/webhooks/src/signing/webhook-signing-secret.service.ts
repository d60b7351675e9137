import {
  DecryptionError,
  ENCRYPTED_PREVIOUS_SIGNING_SECRETS_TABLE,
  ENCRYPTED_SIGNING_SECRETS_TABLE,
  inTransaction,
  type EncryptedValue,
  RowEncryptor,
  type Encryptor,
} from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import {
  findSigningSecretOverlapEnd,
  findEncryptedSigningSecrets,
  insertSigningSecretIfAbsent,
  lockSigningSecretRow,
  replacePreviousWithCurrentSigningSecret,
  upsertSigningSecret,
  type EncryptedSigningSecrets,
} from './signing-secret.repository.js';
import { generateSigningSecret } from './signature.js';

export interface RotatedSigningSecret {
  secret: string;
  /** Webhooks are also signed with the previous secret until then; null without an overlap. */
  previousUntil: Date | null;
}

export interface ValidSigningSecrets {
  secret: string;
  /** Null after its overlap. */
  previous: string | null;
}

/** Secrets are created when first needed, and encrypted again when their key is retired. */
export class WebhookSigningSecretService {
  private readonly rows: RowEncryptor;
  private readonly previousRows: RowEncryptor;

  constructor(
    private readonly dataSource: DataSource,
    encryptor: Encryptor,
    private readonly logger: { warn(message: string, context?: object): void } = { warn: () => undefined },
  ) {
    this.rows = new RowEncryptor(dataSource, encryptor, ENCRYPTED_SIGNING_SECRETS_TABLE);
    this.previousRows = new RowEncryptor(dataSource, encryptor, ENCRYPTED_PREVIOUS_SIGNING_SECRETS_TABLE);
  }

  /** @throws DecryptionError if its encryption key is missing */
  async readOrCreateSecret(accountId: string): Promise<string> {
    return this.decryptSecret(accountId, await this.readOrCreateRow(accountId));
  }

  /**
   * Reads both secrets in one statement, so that a concurrent rotation cannot omit the signature that a
   * receiver knows.
   * @throws DecryptionError if the encryption key of the current one is missing
   */
  async readOrCreateCurrent(accountId: string): Promise<ValidSigningSecrets> {
    const row = await this.readOrCreateRow(accountId);
    const { previousKeyId: keyId, previousSealed: sealed } = row;
    const previous =
      keyId && sealed ? this.decryptIfPossible(this.previousRows, accountId, { keyId, sealed }) : null;
    return { secret: await this.decryptSecret(accountId, row), previous };
  }

  /** Until when webhooks are also signed with the previous secret; null if they are not. */
  readOverlapEnd(accountId: string): Promise<Date | null> {
    return findSigningSecretOverlapEnd(this.dataSource, accountId);
  }

  /**
   * Webhooks are also signed with the replaced secret for `overlapSeconds`; a previous secret of an earlier
   * rotation expires. There is no overlap if no secret is replaced, or one that cannot be decrypted.
   * @param afterRotation in the transaction of the rotation
   */
  async rotate(
    accountId: string,
    overlapSeconds = 0,
    afterRotation?: (tx: EntityManager, previousUntil: Date | null) => Promise<void>,
  ): Promise<RotatedSigningSecret> {
    const secret = generateSigningSecret();
    const { keyId, sealed } = this.rows.encrypt([accountId], Buffer.from(secret));
    const previousUntil = await inTransaction(this.dataSource, async (tx) => {
      // Of two concurrent rotations, the second replaces the secret of the first.
      const replaced = await lockSigningSecretRow(tx, accountId);
      const isReadable =
        replaced !== undefined &&
        overlapSeconds > 0 &&
        this.decryptIfPossible(this.rows, accountId, replaced) !== null;
      const overlap = isReadable ? overlapSeconds : 0;
      const until = await replacePreviousWithCurrentSigningSecret(tx, accountId, overlap);
      await upsertSigningSecret(tx, accountId, { keyId, sealed });
      await afterRotation?.(tx, until);
      return until;
    });
    return { secret, previousUntil };
  }

  private decryptIfPossible(rows: RowEncryptor, accountId: string, row: EncryptedValue): string | null {
    try {
      return rows.decrypt([accountId], row).toString();
    } catch (error) {
      if (!(error instanceof DecryptionError)) throw error;
      this.logger.warn('previous webhook signing secret unreadable', { account_id: accountId, error });
      return null;
    }
  }

  private async decryptSecret(accountId: string, row: EncryptedValue): Promise<string> {
    const secret = this.rows.decrypt([accountId], row).toString();
    await this.rows.reencrypt([accountId], row);
    return secret;
  }

  private async readOrCreateRow(accountId: string): Promise<EncryptedSigningSecrets> {
    return (await findEncryptedSigningSecrets(this.dataSource, accountId)) ?? (await this.create(accountId));
  }

  /** Concurrent calls return the secret that was inserted first. */
  private async create(accountId: string): Promise<EncryptedSigningSecrets> {
    const encrypted = this.rows.encrypt([accountId], Buffer.from(generateSigningSecret()));
    await insertSigningSecretIfAbsent(this.dataSource, accountId, encrypted);
    const row = await findEncryptedSigningSecrets(this.dataSource, accountId);
    if (!row) throw new Error('The account of a signing secret does not exist.');
    return row;
  }
}
