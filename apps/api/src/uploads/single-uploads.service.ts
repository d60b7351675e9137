import type { Caller } from '@app/auth';
import { CreditCheckWithRecharge } from '@app/billing';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import {
  buildUploadedAudioKey,
  addToleranceToDeclaredUploadBytes,
  createJobReturningMessages,
  markJobQueuedAndInsertFirstStage,
  extendUploadSession,
  getJob,
  JOB_HOOKS_TOKEN,
  type JobHooks,
  type JobForApiRoutes,
  OutboxRelay,
} from '@app/jobs';
import { addLogFields, getTraceparent } from '@app/runtime';
import { OBJECT_STORE_TOKEN, type ObjectInfo, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import type { SaveResponseCallback } from '../idempotency/idempotency.service.js';
import type { JobActionStatusResponse } from '../jobs/job-actions.dto.js';
import { getJobAndJoinTrace, joinTraceOfJob, setJobIdOfRequest } from '../jobs/job-of-request.js';
import { JobRequestValidator, type ValidatedJobRequest } from '../jobs/job-request-validator.js';
import { computeCustomVocabularyBytes, QuotaCheck } from '../quotas/quota-check.js';
import { TranscriptDownloadUrlService } from '../transcripts/transcript-download-url.service.js';
import { failJobAndDeleteUploadUnlessQueued } from './fail-job-and-delete-upload.js';
import { recordUploadSpan } from './record-upload-span.js';
import type { CreateUploadDto, UploadResponse } from './upload.dto.js';

/** The format is detected by decoding, not by the declared type. */
const UPLOAD_CONTENT_TYPE = 'application/octet-stream';
/** The URL expires before the job, so that a job never fails while its upload can still arrive. */
const URL_EXPIRY_GRACE_SECONDS = 3;

interface RequestedUpload extends ValidatedJobRequest {
  /** Null of an upload. */
  audioUrl: string | null;
  declaredSize: number | null | undefined;
  /** Null without an upload. */
  signedBytes: number | null;
}

@Injectable()
export class SingleUploadsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(JOB_HOOKS_TOKEN) private readonly hooks: JobHooks,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly relay: OutboxRelay,
    private readonly downloadUrls: TranscriptDownloadUrlService,
    private readonly validator: JobRequestValidator,
    private readonly credit: CreditCheckWithRecharge,
    private readonly quotas: QuotaCheck,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  async createUpload(
    caller: Caller,
    dto: CreateUploadDto,
    saveResponse?: SaveResponseCallback,
  ): Promise<UploadResponse> {
    const audioUrl = this.parseSource(dto);
    const requested = await this.validator.toValidatedRequest(caller.accountId, dto, audioUrl);
    await this.credit.assertCreditOrRecharge(caller.accountId);
    const signedBytes = audioUrl === null ? this.computeSignedBytes(dto.file_size) : null;
    const amounts = {
      ...(signedBytes !== null && { pendingUploads: 1, pendingBytes: signedBytes }),
      vocabularyBytes: computeCustomVocabularyBytes(requested.options),
    };
    return this.quotas.admit(caller.accountId, amounts, () =>
      this.createJob(
        caller,
        { ...requested, audioUrl, declaredSize: dto.file_size, signedBytes },
        saveResponse,
      ),
    );
  }

  private async createJob(
    caller: Caller,
    { declaredSize, signedBytes, ...requested }: RequestedUpload,
    saveResponse: SaveResponseCallback | undefined,
  ): Promise<UploadResponse> {
    const { audioUrl } = requested;
    const { uploadSeconds, deadlineSeconds } = this.options;
    const id = uuidv7();
    setJobIdOfRequest(id);
    const response = await this.buildResponse(id, signedBytes);
    const job = {
      id,
      accountId: caller.accountId,
      apiKeyId: caller.keyId,
      createdBy: caller.userId,
      source: audioUrl === null ? 'upload' : 'url',
      ...requested,
      contentType: UPLOAD_CONTENT_TYPE,
      ...(audioUrl === null && { declaredSize: declaredSize ?? undefined }),
      uploadSeconds: audioUrl === null ? uploadSeconds + URL_EXPIRY_GRACE_SECONDS : null,
      deadlineSeconds,
      requestId: caller.requestId,
      traceparent: getTraceparent(),
    } as const;
    const beforeCreate = saveResponse && ((tx: EntityManager) => saveResponse(tx, response));
    this.relay.send(await createJobReturningMessages(this.dataSource, job, beforeCreate));
    return response;
  }

  /** Opens or renews the session in which a pending upload may outlast its URL. */
  async extendUploadSession(caller: Caller, jobId: string): Promise<JobActionStatusResponse> {
    const job = await getJobAndJoinTrace(this.dataSource, caller.accountId, jobId);
    const isExtended = await extendUploadSession(this.dataSource, job.id, this.options.uploadLifetimeSeconds);
    return { status: isExtended ? 'active' : job.status };
  }

  async completeUpload(caller: Caller, jobId: string): Promise<JobActionStatusResponse> {
    addLogFields({ job_id: jobId });
    if (await this.tryQueueWholeUpload(caller, jobId)) return { status: 'queued' };
    const job = await getJobAndJoinTrace(this.dataSource, caller.accountId, jobId);
    if (job.queued || job.status !== 'processing') return { status: job.status };
    if (job.source !== 'upload')
      throw new ServiceError('upload_type_mismatch', {
        detail: 'This job is a multipart upload; complete it there.',
      });
    const stored = await this.findUsableStoredAudio(job);
    const { deadlineSeconds } = this.options;
    const message =
      stored &&
      (await markJobQueuedAndInsertFirstStage(this.dataSource.manager, job.id, {
        storedObject: stored,
        deadlineSeconds,
      }));
    if (!stored || !message)
      return { status: (await getJob(this.dataSource, caller.accountId, jobId)).status };
    recordUploadSpan(job, stored.modifiedAt, stored.size);
    this.relay.send([message]);
    return { status: 'queued' };
  }

  /** In one round trip, because it is what most calls do: the statement itself checks whose job it is. */
  private async tryQueueWholeUpload({ accountId }: Caller, jobId: string): Promise<boolean> {
    // The job may not exist: the error is reported after that is known.
    const storedObject = await this.store.head(buildUploadedAudioKey(jobId)).catch(() => null);
    if (storedObject === null) return false;
    const { deadlineSeconds } = this.options;
    const options = { storedObject, deadlineSeconds, ifUploadedBy: accountId };
    const message = await markJobQueuedAndInsertFirstStage(this.dataSource.manager, jobId, options);
    if (!message) return false;
    const job = { id: jobId, traceparent: message.traceparent };
    joinTraceOfJob(job);
    recordUploadSpan(job, storedObject.modifiedAt, storedObject.size);
    this.relay.send([message]);
    return true;
  }

  /** @returns null for unusable audio of a job that no longer waits for its upload */
  private async findUsableStoredAudio(job: JobForApiRoutes): Promise<ObjectInfo | null> {
    const stored = await this.store.head(job.audioKey);
    // Jobs of earlier versions have no declared size.
    const declared = job.declaredSize ?? 1;
    if (!stored || stored.size < declared)
      throw new ServiceError('upload_incomplete', {
        detail: `${stored?.size ?? 0} of ${declared} bytes arrived. PUT the whole file to upload_url, then complete again.`,
      });
    const maxBytes = this.computeSignedBytes(declared);
    if (stored.size <= maxBytes) return stored;
    const { dataSource, hooks, store } = this;
    const detail = `The stored audio has ${stored.size} bytes; the upload of ${declared} bytes takes ${maxBytes}.`;
    if (await failJobAndDeleteUploadUnlessQueued({ dataSource, hooks, store }, job, detail))
      throw new ServiceError('upload_too_large', { detail });
    return null;
  }

  /** Requires exactly one source. @returns the URL, or null for an upload within its limit */
  private parseSource({ file_size: size, audio_url: url }: CreateUploadDto): string | null {
    const hasSize = size !== undefined && size !== null;
    const hasUrl = url !== undefined && url !== null;
    if (hasSize === hasUrl)
      throw createInvalidFieldError(
        hasSize ? 'audio_url' : 'file_size',
        'give exactly one of file_size and audio_url',
      );
    if (hasUrl) return url;
    if (hasSize && size > this.options.uploadBytes)
      throw new ServiceError('file_too_large', {
        detail: `file_size is ${size}; a single upload takes ${this.options.uploadBytes} bytes.`,
      });
    return null;
  }

  /** More bytes than declared are no fault by themselves, but without a limit they would evade the quota. */
  private computeSignedBytes(declared: number | null | undefined): number {
    return addToleranceToDeclaredUploadBytes(declared ?? 0, this.options.uploadBytes);
  }

  /** @param signedBytes null without an upload */
  private async buildResponse(jobId: string, signedBytes: number | null): Promise<UploadResponse> {
    return {
      job_id: jobId,
      upload_url:
        signedBytes === null ? null : await this.presignUpload(buildUploadedAudioKey(jobId), signedBytes),
      download_url: this.downloadUrls.forPendingJob(jobId),
      content_type: UPLOAD_CONTENT_TYPE,
      expires_in: this.options.uploadSeconds,
    };
  }

  private presignUpload(key: string, maxBytes: number): Promise<string> {
    return this.store.presignPut({
      key,
      contentType: UPLOAD_CONTENT_TYPE,
      expiresIn: this.options.uploadSeconds,
      maxBytes,
    });
  }
}
