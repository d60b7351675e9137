import {
  inTransaction,
  ENCRYPTED_SECRETS,
  type EncryptedValue,
  EncryptedRows,
  type Encryptor,
} from '@app/database';
import type { DataSource } from 'typeorm';
import { PreviousSecrets } from './previous-secrets.js';
import {
  findSecrets,
  insertSecret,
  lockSecret,
  replacePreviousSecret,
  saveSecret,
  type SecretRow,
} from './signing-secret.repository.js';
import { generateSigningSecret } from './signature.js';

export interface RotatedSecret {
  secret: string;
  /** Until then webhooks are also signed with the secret before; null when that ended at once. */
  previousUntil: Date | null;
}

/** What webhooks of an account are signed with now. */
export interface CurrentSecrets {
  secret: string;
  /** The one before, while its overlap lasts. */
  previous: string | null;
}

/** The signing secret of each account, made when it is first needed, sealed anew when its key is retired. */
export class SigningSecrets {
  private readonly rows: EncryptedRows;
  private readonly previous: PreviousSecrets;

  constructor(
    private readonly dataSource: DataSource,
    sealer: Encryptor,
  ) {
    this.rows = new EncryptedRows(dataSource, sealer, ENCRYPTED_SECRETS);
    this.previous = new PreviousSecrets(dataSource, sealer);
  }

  /** @throws DecryptionError when it was sealed with a key that is gone */
  async reveal(accountId: string): Promise<string> {
    return this.open(accountId, await this.readOrCreate(accountId));
  }

  /**
   * What a webhook is signed with at this moment. Both are read at once: a receiver that knows one of them only is
   * never sent a webhook without its signature because of a rotation in between.
   * @throws DecryptionError when one was sealed with a key that is gone
   */
  async getCurrent(accountId: string): Promise<CurrentSecrets> {
    const kept = await this.readOrCreate(accountId);
    const { previousKeyId: keyId, previousSealed: sealed } = kept;
    const previous = keyId && sealed ? this.previous.open(accountId, { keyId, sealed }) : null;
    return { secret: await this.open(accountId, kept), previous };
  }

  /**
   * Gives the account a new secret. Webhooks sent from now on are signed with it, and for `overlapSeconds` also with the
   * one before; a previous secret of an earlier rotation ends.
   */
  async rotate(accountId: string, overlapSeconds = 0): Promise<RotatedSecret> {
    const secret = generateSigningSecret();
    const { keyId, sealed } = this.rows.encrypt([accountId], Buffer.from(secret));
    const previousUntil = await inTransaction(this.dataSource, async (tx) => {
      // Of two rotations at once the second sees the secret of the first.
      await lockSecret(tx, accountId);
      const until = await replacePreviousSecret(tx, accountId, overlapSeconds);
      await saveSecret(tx, accountId, { keyId, sealed });
      return until;
    });
    return { secret, previousUntil };
  }

  /** As `EncryptedRows`, previous secrets included. */
  async reencryptAll(batch?: number): Promise<number> {
    return (await this.rows.reencryptAll(batch)) + (await this.previous.reencryptAll(batch));
  }

  /** As `EncryptedRows`, previous secrets included. */
  async countOutdated(): Promise<number> {
    return (await this.rows.countOutdated()) + (await this.previous.countOutdated());
  }

  private async open(accountId: string, kept: EncryptedValue): Promise<string> {
    const secret = this.rows.decrypt([accountId], kept).toString();
    await this.rows.reencrypt([accountId], kept);
    return secret;
  }

  private async readOrCreate(accountId: string): Promise<SecretRow> {
    return (await findSecrets(this.dataSource, accountId)) ?? (await this.create(accountId));
  }

  /** Of several that make one at once, the first decides for all. */
  private async create(accountId: string): Promise<SecretRow> {
    const made = this.rows.encrypt([accountId], Buffer.from(generateSigningSecret()));
    await insertSecret(this.dataSource, accountId, made);
    const kept = await findSecrets(this.dataSource, accountId);
    if (!kept) throw new Error('The account of a signing secret is gone.');
    return kept;
  }
}
