import { ENCRYPTED_WEBHOOK_BODIES, RowEncryptor, type Encryptor } from '@app/database';
import type { DataSource } from 'typeorm';
import { type ClaimedDelivery, saveEncryptedWebhookBody } from './webhook-delivery.repository.js';

/** Bodies are stored encrypted from the first attempt to the last. */
export class EncryptedWebhookBodies {
  private readonly rows: RowEncryptor;

  constructor(
    private readonly dataSource: DataSource,
    encryptor: Encryptor,
  ) {
    this.rows = new RowEncryptor(dataSource, encryptor, ENCRYPTED_WEBHOOK_BODIES);
  }

  /** @returns null before the first attempt @throws DecryptionError if the encryption key is missing */
  decrypt({ id, keyId, sealed }: ClaimedDelivery): string | null {
    if (keyId === null || sealed === null) return null;
    return this.rows.decrypt([id], { keyId, sealed }).toString();
  }

  /** Every attempt sends the same bytes. @returns false if the lease is lost */
  async encryptAndSave(delivery: ClaimedDelivery, body: string): Promise<boolean> {
    return saveEncryptedWebhookBody(
      this.dataSource,
      delivery,
      this.rows.encrypt([delivery.id], Buffer.from(body)),
    );
  }
}
