import { queryRows, ENCRYPTED_WEBHOOK_BODIES, EncryptedRows, type Encryptor } from '@app/database';
import type { DataSource } from 'typeorm';
import type { ClaimedDelivery } from './claim-delivery.js';

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
  async save({ id, fence }: ClaimedDelivery, body: string): Promise<boolean> {
    const { keyId, sealed } = this.rows.encrypt([id], Buffer.from(body));
    const kept = await queryRows(
      this.dataSource,
      `UPDATE webhook_delivery SET key_id = $3, sealed = $4
       WHERE id = $1 AND fence = $2 AND state = 'pending' RETURNING id`,
      [id, fence, keyId, sealed],
    );
    return kept.length === 1;
  }
}
