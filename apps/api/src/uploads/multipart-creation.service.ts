import type { Caller } from '@app/auth';
import { CreditCheckWithRecharge } from '@app/billing';
import { ServiceError } from '@app/errors';
import {
  beginAudioIntake,
  buildUploadedAudioKey,
  createJobReturningMessages,
  expireAudioIntakeNow,
  type NewJob,
} from '@app/jobs';
import { getTraceparent } from '@app/runtime';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import type { SaveResponseCallback } from '../idempotency/idempotency.service.js';
import { setJobIdOfRequest } from '../jobs/job-of-request.js';
import { JobRequestValidator, type ValidatedJobRequest } from '../jobs/job-request-validator.js';
import { TranscriptDownloadUrlService } from '../transcripts/transcript-download-url.service.js';
import { computeCustomVocabularyBytes, QuotaCheck } from '../quotas/quota-check.js';
import { signPartUrls } from './sign-part-urls.js';
import {
  MAX_MULTIPART_UPLOAD_BYTES,
  type MultipartUploadPlan,
  planMultipartUpload,
} from './multipart-plan.js';
import { deleteAudioIntakeOrReject } from '../jobs/delete-audio-intake-or-reject.js';
import type { CreateJobWithMultipartUploadDto, MultipartUploadResponse } from './multipart.dto.js';

const CONTENT_TYPE = 'application/octet-stream';
/** More than opening the upload and signing its URLs takes. */
const INTAKE_SECONDS = 3_600;

interface RequestedMultipartUpload extends ValidatedJobRequest {
  declaredSize: number;
  plan: MultipartUploadPlan;
}

/**
 * Creates a multipart upload: first in the store, then the signed URLs, then the row of its job. A crash in between leaves an empty upload
 * that no caller knows; maintenance aborts it because of the row of its audio intake.
 */
@Injectable()
export class MultipartUploadCreationService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly downloadUrls: TranscriptDownloadUrlService,
    private readonly validator: JobRequestValidator,
    private readonly credit: CreditCheckWithRecharge,
    private readonly quotas: QuotaCheck,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  async createUpload(
    caller: Caller,
    dto: CreateJobWithMultipartUploadDto,
    saveResponse?: SaveResponseCallback,
  ): Promise<MultipartUploadResponse> {
    const { accountId } = caller;
    const plan = this.plan(dto);
    const requested = await this.validator.toValidatedRequest(accountId, dto, null);
    await this.credit.assertCreditOrRecharge(accountId);
    const amounts = {
      pendingUploads: 1,
      // The last part may be as large as the others.
      pendingBytes: Math.min(plan.numParts * plan.partSize, this.options.multipartBytes),
      vocabularyBytes: computeCustomVocabularyBytes(requested.options),
    };
    return this.quotas.admit(accountId, amounts, () =>
      this.createJob(caller, { ...requested, declaredSize: dto.file_size, plan }, saveResponse),
    );
  }

  private async createJob(
    caller: Caller,
    requested: RequestedMultipartUpload,
    saveResponse: SaveResponseCallback | undefined,
  ): Promise<MultipartUploadResponse> {
    const id = uuidv7();
    setJobIdOfRequest(id);
    await beginAudioIntake(this.dataSource, id, INTAKE_SECONDS);
    try {
      return await this.openUploadAndSaveJob(id, caller, requested, saveResponse);
    } catch (error) {
      await expireAudioIntakeNow(this.dataSource, id).catch(() => undefined);
      throw error;
    }
  }

  private async openUploadAndSaveJob(
    id: string,
    { accountId, keyId: apiKeyId, userId: createdBy, requestId }: Caller,
    { plan, ...requested }: RequestedMultipartUpload,
    saveResponse: SaveResponseCallback | undefined,
  ): Promise<MultipartUploadResponse> {
    const { multipartSeconds: uploadSeconds, deadlineSeconds } = this.options;
    const uploadId = await this.store.createMultipart(buildUploadedAudioKey(id), CONTENT_TYPE);
    const response = await this.buildResponse(id, uploadId, plan);
    const job = {
      id,
      accountId,
      apiKeyId,
      createdBy,
      source: 'multipart',
      audioUrl: null,
      uploadId,
      partSize: plan.partSize,
      requestId,
      traceparent: getTraceparent(),
    } as const;
    await this.saveJob(
      { ...job, ...requested, contentType: CONTENT_TYPE, uploadSeconds, deadlineSeconds },
      async (tx) => {
        await deleteAudioIntakeOrReject(tx, id);
        await saveResponse?.(tx, response);
      },
    );
    return response;
  }

  private plan({
    file_size: size,
    part_size: requestedPartSize,
  }: CreateJobWithMultipartUploadDto): MultipartUploadPlan {
    const maxBytes = Math.min(this.options.multipartBytes, MAX_MULTIPART_UPLOAD_BYTES);
    if (size > maxBytes)
      throw new ServiceError('file_too_large', {
        detail: `file_size is ${size}; a multipart upload takes ${maxBytes} bytes.`,
      });
    return planMultipartUpload(size, requestedPartSize ?? undefined);
  }

  private async buildResponse(
    id: string,
    uploadId: string,
    plan: MultipartUploadPlan,
  ): Promise<MultipartUploadResponse> {
    const expiresIn = this.options.multipartSeconds;
    return {
      job_id: id,
      upload_id: uploadId,
      download_url: this.downloadUrls.forPendingJob(id),
      part_size: plan.partSize,
      num_parts: plan.numParts,
      parts: await signPartUrls(this.store, { key: buildUploadedAudioKey(id), uploadId, expiresIn }, plan),
      expires_in: expiresIn,
    };
  }

  private async saveJob(
    job: NewJob & { id: string; uploadId: string },
    beforeCreate: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    try {
      await createJobReturningMessages(this.dataSource, job, beforeCreate);
    } catch (error) {
      // After any other error the commit may have succeeded: the upload must stay.
      if (error instanceof ServiceError)
        await this.store.abortMultipart(buildUploadedAudioKey(job.id), job.uploadId).catch(() => undefined);
      throw error;
    }
  }
}
