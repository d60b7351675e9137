import { isDatabaseUnavailable } from '@app/database';
import { ServiceError } from '@app/errors';
import { buildAudioKey, findAccountOfJob, isUploadPending } from '@app/jobs';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

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
  findAccountId(key: string): Promise<string | undefined> {
    return unlessUnavailable(findAccountOfJob(this.dataSource, jobIdOf(key)));
  }

  private async assertPending(key: string): Promise<void> {
    const isPending = await unlessUnavailable(isUploadPending(this.dataSource, jobIdOf(key)));
    if (isPending === false) throw new ServiceError('upload_closed');
  }
}

function jobIdOf(audioKey: string): string {
  return audioKey.slice(buildAudioKey('').length);
}

/** @returns undefined while the database is away */
function unlessUnavailable<T>(query: Promise<T>): Promise<T | undefined> {
  return query.catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return undefined;
    throw error;
  });
}
