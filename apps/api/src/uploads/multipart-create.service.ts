import type { Caller } from '@app/auth';
import { CreditGate } from '@app/billing';
import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import {
  attachUpload,
  createJob,
  type CreatedJob,
  failed,
  finishJob,
  JOB_EFFECTS,
  type JobEffects,
  type JobOptions,
} from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { JobRequestCheck } from '../jobs/job-request-check.js';
import { Downloads } from '../results/downloads.js';
import { partAddresses } from './multipart-addresses.js';
import { MAX_PLANNED_BYTES, type MultipartPlan, planParts } from './multipart-plan.js';
import type { CreateMultipartDto, MultipartResponse, PartAddressResponse } from './multipart.dto.js';

const CONTENT_TYPE = 'application/octet-stream';

/** How long a job may wait for its upload to be opened before the sweep ends it. */
const OPENING_SECONDS = 60;
const RETRY_AFTER_SECONDS = 2;

interface OpenedUpload {
  uploadId: string;
  parts: PartAddressResponse[];
}

/**
 * Begins a multipart upload. The row comes first, with a minute to live; then the store's upload; then its id goes
 * into the row, which gets its full life; only then are addresses signed. A crash in between leaves a row that the
 * sweep ends, and at worst an upload that nobody has an address of: it holds no bytes and never will.
 */
@Injectable()
export class MultipartCreateService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(JOB_EFFECTS) private readonly effects: JobEffects,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(Downloads) private readonly downloads: Downloads,
    @Inject(JobRequestCheck) private readonly requests: JobRequestCheck,
    @Inject(CreditGate) private readonly credit: CreditGate,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  async create(caller: Caller, dto: CreateMultipartDto): Promise<MultipartResponse> {
    const plan = this.plan(dto);
    const options = await this.requests.check(dto, null);
    await this.credit.mayCreate(caller.accountId);
    const job = await this.pendingJob(caller.accountId, options);
    const { uploadId, parts } = await this.open(job, plan);
    return {
      job_id: job.id,
      upload_id: uploadId,
      download_url: this.downloads.promised(job.id),
      part_size: plan.partSize,
      num_parts: plan.numParts,
      parts,
      expires_in: this.options.multipartSeconds,
    };
  }

  private plan({ file_size: size, part_size: wanted }: CreateMultipartDto): MultipartPlan {
    const most = Math.min(this.options.multipartBytes, MAX_PLANNED_BYTES);
    if (size > most)
      throw new ServiceError('file_too_large', {
        detail: `file_size is ${size}; a multipart upload takes ${most} bytes.`,
      });
    return planParts(size, wanted ?? undefined);
  }

  private pendingJob(accountId: string, options: JobOptions): Promise<CreatedJob> {
    return inTransaction(this.dataSource, (tx) =>
      createJob(tx, {
        accountId,
        source: 'multipart',
        options,
        audioUrl: null,
        contentType: CONTENT_TYPE,
        uploadSeconds: OPENING_SECONDS,
        deadlineSeconds: this.options.deadlineSeconds,
      }),
    );
  }

  private async open(job: CreatedJob, plan: MultipartPlan): Promise<OpenedUpload> {
    try {
      const uploadId = await this.attachedUpload(job);
      const upload = { key: job.audioKey, uploadId, expiresIn: this.options.multipartSeconds };
      return { uploadId, parts: await partAddresses(this.store, upload, plan) };
    } catch (error) {
      // The caller never hears of this job. Should the row be out of reach as well, its minute runs out.
      const outcome = failed('upload', 'The upload could not be opened.');
      await inTransaction(this.dataSource, (tx) => finishJob(tx, this.effects, job.id, outcome)).catch(
        () => undefined,
      );
      throw error;
    }
  }

  private async attachedUpload({ id, audioKey }: CreatedJob): Promise<string> {
    const uploadId = await this.store.createMultipart(audioKey, CONTENT_TYPE);
    const { multipartSeconds: uploadSeconds } = this.options;
    if (await attachUpload(this.dataSource, id, { uploadId, uploadSeconds })) return uploadId;
    await this.store.abortMultipart(audioKey, uploadId);
    throw new ServiceError('unavailable', { retryAfter: RETRY_AFTER_SECONDS });
  }
}
