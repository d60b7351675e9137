import { isDatabaseUnavailable, getPgPool } from '@app/database';
import { ServiceError } from '@app/errors';
import { buildAudioKey } from '@app/jobs';
import { Injectable } from '@nestjs/common';
import type { QueryResult, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';

const PENDING_QUERY = {
  name: 'upload-pending',
  text: `SELECT id FROM job WHERE id = $1 AND queued_at IS NULL AND status = 'processing'`,
};
const ACCOUNT_QUERY = {
  name: 'upload-owner',
  text: 'SELECT account_id AS "accountId" FROM job WHERE id = $1',
};

/** An address outlives the upload that it was made for: once that is completed or has ended, it stores nothing more. */
@Injectable()
export class PendingUploadCheck {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Asked again when the whole body is there, so that one that was under way does not replace what was completed
   * meanwhile. Should it fall between question and rename all the same, processing finds another etag and says so;
   * for the same reason the gate stands open while the database is away.
   * @throws ServiceError `upload_closed`
   */
  async *requirePendingWhile(key: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    await this.assertPending(key);
    yield* body;
    await this.assertPending(key);
  }

  /** Whose upload it is; undefined while the database is away, and for a job that is gone. */
  async findAccountId(key: string): Promise<string | undefined> {
    const found = await this.query<{ accountId: string }>(ACCOUNT_QUERY, key);
    return found?.rows[0]?.accountId;
  }

  private async assertPending(key: string): Promise<void> {
    if ((await this.query(PENDING_QUERY, key))?.rowCount === 0) throw new ServiceError('upload_closed');
  }

  /** @returns nothing while the database is away */
  private query<T extends QueryResultRow>(
    question: { name: string; text: string },
    key: string,
  ): Promise<QueryResult<T> | undefined> {
    const values = [key.slice(buildAudioKey('').length)];
    return getPgPool(this.dataSource)
      .query<T>({ ...question, values })
      .catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) return undefined;
        throw error;
      });
  }
}
