import { isDatabaseAway, poolOf } from '@app/database';
import { ServiceError } from '@app/errors';
import { audioKeyOf } from '@app/jobs';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const PENDING = {
  name: 'upload-pending',
  text: `SELECT id FROM job WHERE id = $1 AND queued_at IS NULL AND status = 'processing'`,
};

/** An address outlives the upload that it was made for: once that is completed or has ended, it stores nothing more. */
@Injectable()
export class UploadGate {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /**
   * Asked again when the whole body is there, so that one that was under way does not replace what was completed
   * meanwhile. Should it fall between question and rename all the same, processing finds another etag and says so;
   * for the same reason the gate stands open while the database is away.
   * @throws ServiceError `address_refused`
   */
  async *guard(key: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    await this.assertPending(key);
    yield* body;
    await this.assertPending(key);
  }

  private async assertPending(key: string): Promise<void> {
    const values = [key.slice(audioKeyOf('').length)];
    const found = await poolOf(this.dataSource)
      .query({ ...PENDING, values })
      .catch((error: unknown) => {
        if (isDatabaseAway(error)) return { rowCount: 1 };
        throw error;
      });
    if (found.rowCount === 0)
      throw new ServiceError('address_refused', { detail: 'The upload was completed or has ended.' });
  }
}
