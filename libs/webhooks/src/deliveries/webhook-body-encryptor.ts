import {
  ENCRYPTED_WEBHOOK_ATTEMPTS_TABLE,
  ENCRYPTED_WEBHOOK_BODIES_TABLE,
  type EncryptedValue,
  RowEncryptor,
  type Encryptor,
} from '@app/database';
import type { DataSource } from 'typeorm';
import { type ClaimedDelivery, saveEncryptedWebhookBody } from './webhook-delivery.repository.js';
import type { WebhookExchange } from './webhook-exchange.js';

/** Bodies are stored encrypted: to be sent again, from the first attempt to the last, and as parts of what was sent. */
export class WebhookBodyEncryptor {
  private readonly rows: RowEncryptor;
  private readonly attemptRows: RowEncryptor;

  constructor(
    private readonly dataSource: DataSource,
    encryptor: Encryptor,
  ) {
    this.rows = new RowEncryptor(dataSource, encryptor, ENCRYPTED_WEBHOOK_BODIES_TABLE);
    this.attemptRows = new RowEncryptor(dataSource, encryptor, ENCRYPTED_WEBHOOK_ATTEMPTS_TABLE);
  }

  /** @returns null before the first attempt @throws DecryptionError if the encryption key is missing */
  decrypt({ id, keyId, sealed }: Pick<ClaimedDelivery, 'id' | 'keyId' | 'sealed'>): string | null {
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

  /** @param number of the attempt, from 1 */
  encryptExchange(deliveryId: string, number: number, exchange: WebhookExchange): EncryptedValue {
    return this.attemptRows.encrypt([deliveryId, String(number)], Buffer.from(JSON.stringify(exchange)));
  }

  /** @throws DecryptionError if the encryption key is missing */
  decryptExchange(deliveryId: string, number: number, encrypted: EncryptedValue): WebhookExchange {
    const text = this.attemptRows.decrypt([deliveryId, String(number)], encrypted).toString();
    return JSON.parse(text) as WebhookExchange;
  }
}
