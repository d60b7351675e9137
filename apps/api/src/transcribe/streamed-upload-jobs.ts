import { Readable } from 'node:stream';
import type { Caller } from '@app/auth';
import { CreditCheck } from '@app/billing';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import {
  buildAudioKey,
  beginAudioIntake,
  createJob,
  endAudioIntake,
  enqueueJob,
  expireAudioIntake,
  deleteAudioIntake,
  Relay,
} from '@app/jobs';
import { addLogFields } from '@app/runtime';
import { OBJECT_STORE, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import type { ValidatedJobRequest } from '../jobs/job-request-validator.js';

/** Seconds, where nothing is asked of a sender's pace. */
const LONGEST_INTAKE = 7 * 86_400;
const TOO_LATE = 'The request was open for so long that its audio was given up.';

/** Jobs whose audio comes with the request that makes them: the bytes are stored first, under the id of the job to be. */
@Injectable()
export class StreamedUploadJobs {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly relay: Relay,
    private readonly credit: CreditCheck,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** @throws ServiceError `insufficient_credits`, before a byte is taken */
  async assertCredit({ accountId }: Caller): Promise<void> {
    await this.credit.assertCanCreateJob(accountId);
  }

  /**
   * Takes the audio as it comes, none of it kept in memory; what `bytes` throws leaves nothing behind. A row says
   * meanwhile that audio without a job may be deleted: this process may be killed before there is one.
   */
  async storeAudio(
    jobId: string,
    bytes: AsyncIterable<Uint8Array>,
    contentType: string,
  ): Promise<ObjectInfo> {
    await beginAudioIntake(this.dataSource, jobId, this.maxBodySeconds());
    try {
      return await this.store.put(buildAudioKey(jobId), Readable.from(bytes), contentType);
    } catch (error) {
      // The row goes with what may be left in the store.
      await expireAudioIntake(this.dataSource, jobId).catch(() => undefined);
      throw error;
    }
  }

  /** Of a job that is not to be. */
  async deleteAudio(jobId: string): Promise<void> {
    await this.store.delete(buildAudioKey(jobId));
    await deleteAudioIntake(this.dataSource, jobId);
  }

  /** Of a sender that is just not cut. */
  private maxBodySeconds(): number {
    const { streamBytes, minTransferRate: bodyPace } = this.options;
    return Math.min(LONGEST_INTAKE, streamBytes / bodyPace.bytesPerSecond + bodyPace.idleMs / 1000);
  }

  /**
   * The job, queued.
   * @param beforeCreate done first in the job's transaction
   * @throws ServiceError `invalid_api_key` when the account is gone, or what `before` throws; the audio is gone then, too
   */
  async createQueuedJob(
    id: string,
    { accountId, keyId: apiKeyId, requestId }: Caller,
    request: ValidatedJobRequest,
    stored: ObjectInfo,
    beforeCreate?: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    addLogFields({ job_id: id });
    const { deadlineSeconds } = this.options;
    const { contentType } = stored;
    const job = {
      id,
      accountId,
      apiKeyId,
      source: 'stream',
      audioUrl: null,
      contentType,
      requestId,
    } as const;
    try {
      await inTransaction(this.dataSource, async (tx) => {
        await beforeCreate?.(tx);
        if (!(await endAudioIntake(tx, id)))
          throw new ServiceError('service_unavailable', { detail: TOO_LATE });
        await createJob(tx, { ...job, ...request, uploadSeconds: null, deadlineSeconds });
        await enqueueJob(tx, id, { storedObject: stored, deadlineSeconds });
      });
    } catch (error) {
      // After any other error the job may exist all the same: upkeep deletes audio that turns out to have none.
      if (error instanceof ServiceError) await this.deleteAudio(id);
      throw error;
    }
    this.relay.wake();
  }
}
