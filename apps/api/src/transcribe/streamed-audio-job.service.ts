import { Readable } from 'node:stream';
import type { Caller } from '@app/auth';
import { CreditCheckWithRecharge } from '@app/billing';
import { describeError, ServiceError } from '@app/errors';
import {
  buildUploadedAudioKey,
  beginAudioIntake,
  createJobAndEnqueueIfUrl,
  enqueueJob,
  expireAudioIntakeNow,
  deleteAudioIntake,
  OutboxRelay,
} from '@app/jobs';
import { getTraceparent } from '@app/runtime';
import { OBJECT_STORE_TOKEN, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { deleteAudioIntakeOrReject } from '../jobs/delete-audio-intake-or-reject.js';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { setJobIdOfRequest } from '../jobs/job-of-request.js';
import type { ValidatedJobRequest } from '../jobs/job-request-validator.js';
import { FreeDiskSpaceCheck } from '../admission/free-disk-space-check.js';
import { computeCustomVocabularyBytes, QuotaCheck } from '../quotas/quota-check.js';

/** Used when no minimum transfer rate is configured. */
const MAX_INTAKE_SECONDS = 7 * 86_400;

/** Creates jobs whose audio arrives in the same request: the audio is stored first, under the id of the future job. */
@Injectable()
export class StreamedAudioJobService {
  private readonly logger = new Logger(StreamedAudioJobService.name);

  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly relay: OutboxRelay,
    private readonly credit: CreditCheckWithRecharge,
    private readonly quotas: QuotaCheck,
    private readonly diskReserve: FreeDiskSpaceCheck,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /**
   * @param create receives the audio and creates the job
   * @throws ServiceError `insufficient_credits`, `quota_exceeded`, and what `create` throws
   */
  async runWithinCreditAndQuotas<T>(
    { accountId }: Caller,
    { options }: Pick<ValidatedJobRequest, 'options'>,
    create: () => Promise<T>,
  ): Promise<T> {
    await this.credit.assertCreditOrRecharge(accountId);
    return this.quotas.admit(accountId, { vocabularyBytes: computeCustomVocabularyBytes(options) }, create);
  }

  /**
   * For a request whose vocabulary is known only after its audio.
   * @throws ServiceError as `createQueuedJob`, and `quota_exceeded`; the audio is deleted then
   */
  async createQueuedJobWithinQuotas(
    id: string,
    caller: Caller,
    request: ValidatedJobRequest,
    stored: ObjectInfo,
  ): Promise<void> {
    const vocabularyBytes = computeCustomVocabularyBytes(request.options);
    try {
      await this.quotas.admit(caller.accountId, { vocabularyBytes }, () =>
        this.createQueuedJob(id, caller, request, stored),
      );
    } catch (error) {
      if (error instanceof ServiceError) await this.deleteAudio(id);
      throw error;
    }
  }

  /**
   * Streams the audio to the object store; an error of `bytes` leaves nothing behind. A row marks the audio for deletion
   * until its job exists, in case this process is killed.
   * @param contentLength of the request; 0 if it is not known
   */
  async storeAudio(
    jobId: string,
    bytes: AsyncIterable<Uint8Array>,
    contentType: string,
    contentLength = 0,
  ): Promise<ObjectInfo> {
    await this.diskReserve.assertFree(contentLength);
    await beginAudioIntake(this.dataSource, jobId, this.maxBodySeconds());
    const body = Readable.from(this.diskReserve.keepReserve(bytes));
    try {
      return await this.store.put(buildUploadedAudioKey(jobId), body, contentType);
    } catch (error) {
      // Maintenance deletes the row with any remaining object.
      await expireAudioIntakeNow(this.dataSource, jobId).catch(() => undefined);
      throw error;
    }
  }

  /** Deletes the audio of a job that will not be created, or leaves it to maintenance. */
  async deleteAudio(jobId: string): Promise<void> {
    try {
      await this.store.delete(buildUploadedAudioKey(jobId));
      await deleteAudioIntake(this.dataSource, jobId);
    } catch (error) {
      this.logger.warn(`the audio of the refused job ${jobId} is deleted later: ${describeError(error)}`);
      await expireAudioIntakeNow(this.dataSource, jobId).catch(() => undefined);
    }
  }

  /** The longest upload that keeps the minimum transfer rate. */
  private maxBodySeconds(): number {
    const { audioBodyBytes, minTransferRate } = this.options;
    return Math.min(
      MAX_INTAKE_SECONDS,
      audioBodyBytes / minTransferRate.bytesPerSecond + minTransferRate.idleTimeoutMs / 1000,
    );
  }

  /**
   * Creates and queues the job.
   * @param beforeCreate runs first in the job's transaction, again if that is repeated
   * @throws ServiceError `invalid_api_key` when the account was deleted, or what `beforeCreate` throws; the audio is deleted then
   */
  async createQueuedJob(
    id: string,
    { accountId, keyId: apiKeyId, userId: createdBy, requestId }: Caller,
    request: ValidatedJobRequest,
    stored: ObjectInfo,
    beforeCreate?: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    setJobIdOfRequest(id);
    const { deadlineSeconds } = this.options;
    const { contentType } = stored;
    const job = {
      id,
      accountId,
      apiKeyId,
      createdBy,
      source: 'stream',
      audioUrl: null,
      contentType,
      requestId,
      traceparent: getTraceparent(),
    } as const;
    try {
      await this.relay.inTransaction(async (tx) => {
        await beforeCreate?.(tx);
        await deleteAudioIntakeOrReject(tx, id);
        await createJobAndEnqueueIfUrl(tx, { ...job, ...request, uploadSeconds: null, deadlineSeconds });
        await enqueueJob(tx, id, { storedObject: stored, deadlineSeconds });
      });
    } catch (error) {
      // After any other error the commit may have succeeded; maintenance deletes the audio if the job does not exist.
      if (error instanceof ServiceError) await this.deleteAudio(id);
      throw error;
    }
  }
}
