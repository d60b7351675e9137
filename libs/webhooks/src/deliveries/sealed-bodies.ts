import { rowsOf, SEALED_BODIES, SealedRows, type Sealer } from '@app/database';
import type { DataSource } from 'typeorm';
import type { ClaimedDelivery } from './claim-delivery.js';

/** The texts of notifications, as they are kept from the first attempt to the last. */
export class SealedBodies {
  private readonly rows: SealedRows;

  constructor(
    private readonly dataSource: DataSource,
    sealer: Sealer,
  ) {
    this.rows = new SealedRows(dataSource, sealer, SEALED_BODIES);
  }

  /**
   * Null before the first attempt.
   * @throws SealBroken when it was sealed with a key that is gone
   */
  open({ id, keyId, sealed }: ClaimedDelivery): string | null {
    if (keyId === null || sealed === null) return null;
    return this.rows.open([id], { keyId, sealed }).toString();
  }

  /**
   * Keeps the text, so that every attempt sends the same bytes.
   * @returns false when the delivery is in other hands by now
   */
  async keep({ id, fence }: ClaimedDelivery, body: string): Promise<boolean> {
    const { keyId, sealed } = this.rows.seal([id], Buffer.from(body));
    const kept = await rowsOf(
      this.dataSource,
      `UPDATE webhook_delivery SET key_id = $3, sealed = $4
       WHERE id = $1 AND fence = $2 AND state = 'pending' RETURNING id`,
      [id, fence, keyId, sealed],
    );
    return kept.length === 1;
  }
}
