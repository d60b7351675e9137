import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import {
  endJobOfAbortedUpload,
  markJobQueuedAndInsertFirstStage,
  getJob,
  JOB_HOOKS_TOKEN,
  type JobHooks,
  type JobForApiRoutes,
  OutboxRelay,
  isUploadAborted,
} from '@app/jobs';
import { addLogFields } from '@app/runtime';
import {
  OBJECT_STORE_TOKEN,
  type ObjectInfo,
  ObjectNotFoundError,
  type ObjectStore,
  InvalidPartsError,
  StoreUnavailableError,
} from '@app/storage';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import type { JobActionStatusResponse } from '../jobs/job-actions.dto.js';
import { getJobAndJoinTrace } from '../jobs/job-of-request.js';
import { toInvalidPartsServiceError, parseReportedParts, type ReportedPart } from './multipart-parts.js';
import type { CompleteMultipartUploadDto } from './multipart.dto.js';
import { failJobAndDeleteUploadUnlessQueued } from './fail-job-and-delete-upload.js';
import { recordUploadSpan } from './record-upload-span.js';

/**
 * Completes or aborts a multipart upload. The job's row decides a race between the two. An abort touches the store only
 * after it has won; a completion that lost deletes the object that it created.
 */
@Injectable()
export class MultipartCompletionAndAbortService {
  private readonly logger = new Logger(MultipartCompletionAndAbortService.name);

  constructor(
    private readonly dataSource: DataSource,
    @Inject(JOB_HOOKS_TOKEN) private readonly hooks: JobHooks,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly relay: OutboxRelay,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  async completeUpload(caller: Caller, dto: CompleteMultipartUploadDto): Promise<JobActionStatusResponse> {
    addLogFields({ job_id: dto.job_id });
    const parts = parseReportedParts(dto.parts);
    const job = await getJobAndJoinTrace(this.dataSource, caller.accountId, dto.job_id);
    if (job.source !== 'multipart')
      throw new ServiceError('upload_type_mismatch', { detail: 'This job is not a multipart upload.' });
    if (!isUploadPending(job)) return { status: job.status };
    const stored = await this.assemble(job, parts).catch(async (error: unknown) => {
      if (!(error instanceof InvalidPartsError || error instanceof ObjectNotFoundError)) throw error;
      // Another call may have completed, aborted or cancelled the upload first.
      if (!isUploadPending(await this.reloadJob(caller, job))) return null;
      throw error instanceof InvalidPartsError ? toInvalidPartsServiceError(error, parts) : error;
    });
    if (stored === null) return { status: (await this.reloadJob(caller, job)).status };
    const sizeProblem = this.findSizeProblem(stored);
    if (!sizeProblem) return this.enqueue(caller, job, stored);
    const { dataSource, hooks, store } = this;
    // No more bytes can be sent.
    if (await failJobAndDeleteUploadUnlessQueued({ dataSource, hooks, store }, job, sizeProblem.detail))
      throw new ServiceError(sizeProblem.code, { detail: sizeProblem.detail });
    return this.reportStatusAndDeleteUnneededAudio(caller, job);
  }

  /** Returns the status of the job if there is no multipart upload to abort. */
  async abortUpload(caller: Caller, jobId: string): Promise<JobActionStatusResponse> {
    const job = await getJobAndJoinTrace(this.dataSource, caller.accountId, jobId);
    if (job.source !== 'multipart') return { status: job.status };
    const { accountId } = caller;
    const isEnded = await inTransaction(this.dataSource, async (tx) => {
      if (!(await endJobOfAbortedUpload(tx, this.hooks, job.id))) return false;
      await recordAuditEvent(tx, toAuditActor(caller), {
        accountId,
        action: 'job.upload_aborted',
        target: job.id,
      });
      return true;
    });
    if (isEnded) {
      await this.deleteUpload(job);
      return { status: 'aborted' };
    }
    const now = await this.reloadJob(caller, job);
    return { status: isUploadAborted(now) ? 'aborted' : now.status };
  }

  /**
   * Tries twice: while another call completes the same upload, its parts are being moved and may be missing briefly.
   */
  private async assemble(
    { audioKey, uploadId, partSize }: JobForApiRoutes,
    parts: ReportedPart[],
  ): Promise<ObjectInfo> {
    if (uploadId === null) throw new InvalidPartsError(0, 'upload', 'The upload is not open yet.');
    try {
      return await this.store.completeMultipart(audioKey, uploadId, parts, partSize);
    } catch (error) {
      if (!(error instanceof InvalidPartsError)) throw error;
      return this.store.completeMultipart(audioKey, uploadId, parts, partSize);
    }
  }

  private findSizeProblem({
    size,
  }: ObjectInfo): { code: 'upload_incomplete' | 'upload_too_large'; detail: string } | null {
    const { multipartBytes } = this.options;
    if (size === 0) return { code: 'upload_incomplete', detail: 'The parts hold no bytes.' };
    if (size <= multipartBytes) return null;
    const detail = `The parts have ${size} bytes; this route takes ${multipartBytes}.`;
    return { code: 'upload_too_large', detail };
  }

  private async enqueue(
    caller: Caller,
    job: JobForApiRoutes,
    stored: ObjectInfo,
  ): Promise<JobActionStatusResponse> {
    const { deadlineSeconds } = this.options;
    const message = await markJobQueuedAndInsertFirstStage(this.dataSource.manager, job.id, {
      storedObject: stored,
      deadlineSeconds,
    });
    if (message) {
      // The time that S3 reports is that of the creation of the upload.
      recordUploadSpan(job, new Date(), stored.size);
      this.relay.send([message]);
      return { status: 'queued' };
    }
    return this.reportStatusAndDeleteUnneededAudio(caller, job);
  }

  /** The job no longer waits for its upload: the audio is needed only if another call has queued it. */
  private async reportStatusAndDeleteUnneededAudio(
    caller: Caller,
    job: JobForApiRoutes,
  ): Promise<JobActionStatusResponse> {
    const now = await this.reloadJob(caller, job);
    if (!now.queued) await this.store.delete(job.audioKey);
    return { status: now.status };
  }

  /** Maintenance deletes the rest if the store is unavailable. */
  private async deleteUpload({ audioKey, uploadId }: JobForApiRoutes): Promise<void> {
    try {
      if (uploadId !== null) await this.store.abortMultipart(audioKey, uploadId);
      await this.store.delete(audioKey);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.logger.warn(`aborted upload not yet deleted from the object store (${error.message})`);
    }
  }

  private reloadJob(caller: Caller, { id }: JobForApiRoutes): Promise<JobForApiRoutes> {
    return getJob(this.dataSource, caller.accountId, id);
  }
}

function isUploadPending({ queued, status }: JobForApiRoutes): boolean {
  return !queued && status === 'processing';
}
