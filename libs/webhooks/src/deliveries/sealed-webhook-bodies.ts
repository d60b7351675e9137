import { ENCRYPTED_WEBHOOK_BODIES, EncryptedRows, type Encryptor } from '@app/database';
import type { DataSource } from 'typeorm';
import { type ClaimedDelivery, saveBody } from './webhook-delivery.repository.js';

/** The texts of notifications, as they are kept from the first attempt to the last. */
export class SealedWebhookBodies {
  private readonly rows: EncryptedRows;

  constructor(
    private readonly dataSource: DataSource,
    sealer: Encryptor,
  ) {
    this.rows = new EncryptedRows(dataSource, sealer, ENCRYPTED_WEBHOOK_BODIES);
  }

  /**
   * Null before the first attempt.
   * @throws DecryptionError when it was sealed with a key that is gone
   */
  open({ id, keyId, sealed }: ClaimedDelivery): string | null {
    if (keyId === null || sealed === null) return null;
    return this.rows.decrypt([id], { keyId, sealed }).toString();
  }

  /**
   * Keeps the text, so that every attempt sends the same bytes.
   * @returns false when the delivery is in other hands by now
   */
  async save(delivery: ClaimedDelivery, body: string): Promise<boolean> {
    return saveBody(this.dataSource, delivery, this.rows.encrypt([delivery.id], Buffer.from(body)));
  }
}
