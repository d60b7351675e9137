import { isDatabaseUnavailableError } from '@app/database';
import { ServiceError } from '@app/errors';
import {
  buildUploadedAudioKey,
  findJobAccountAndTraceparent,
  isUploadPendingForSignedUrl,
  type JobAccountAndTraceparent,
} from '@app/jobs';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const CHECK_INTERVAL_MS = 30_000;

/** Rejects bodies for an upload that is no longer pending: its URL stays valid longer than the upload. */
@Injectable()
export class UploadStillPendingCheck {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Passes a body on, and checks before and after it that the upload is pending, so that it does not replace completed
   * audio. Checks during the body, too: a slow one must not go on after the upload has expired. If the upload completes
   * after the last check, preprocess detects another etag; therefore bodies are also accepted while the database is
   * unavailable.
   * @throws ServiceError `upload_closed`
   */
  async *passBodyWhilePending(key: string, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    await this.assertPending(key);
    let checkedAt = performance.now();
    for await (const chunk of body) {
      if (performance.now() - checkedAt >= CHECK_INTERVAL_MS) {
        await this.assertPending(key);
        checkedAt = performance.now();
      }
      yield chunk;
    }
    await this.assertPending(key);
  }

  /** @returns undefined while the database is unavailable, and for a deleted job */
  findJob(key: string): Promise<JobAccountAndTraceparent | undefined> {
    return unlessUnavailable(findJobAccountAndTraceparent(this.dataSource, parseJobId(key)));
  }

  private async assertPending(key: string): Promise<void> {
    const isPending = await unlessUnavailable(isUploadPendingForSignedUrl(this.dataSource, parseJobId(key)));
    if (isPending === false) throw new ServiceError('upload_closed');
  }
}

function parseJobId(audioKey: string): string {
  return audioKey.slice(buildUploadedAudioKey('').length);
}

/** @returns undefined while the database is unavailable */
function unlessUnavailable<T>(query: Promise<T>): Promise<T | undefined> {
  return query.catch((error: unknown) => {
    if (isDatabaseUnavailableError(error)) return undefined;
    throw error;
  });
}
