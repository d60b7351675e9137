import { ApiError, JobFailedError } from '../errors.js';
import type { HttpTransport } from '../http/http-transport.js';
import type { EndedJob, JobOptions, MultipartResponse, Progress, UploadResponse } from '../types.js';
import { abortUpload } from './abort-upload.js';
import type { AudioPartReader } from './audio-part-reader.js';
import {
  addJobIdIfResponseWasLost,
  completeIfArrived,
  completeUpload,
  throwIfUploadFailed,
} from './complete-upload.js';
import {
  EARLIER_JOB_GONE_REASON,
  EARLIER_URLS_EXPIRED_REASON,
  endOutdatedUpload,
  toUploadRestartReason,
} from './end-outdated-upload.js';
import { findJob } from './find-job.js';
import { fetchMaxMultipartUploadBytes } from './fetch-max-multipart-upload-bytes.js';
import { startUploadKeepAlive } from './keep-upload-alive.js';
import { countStoredBytes, uploadMissingParts } from './upload-missing-parts.js';
import type { Semaphore } from './semaphore.js';
import type { UploadState, UploadStateStore } from './upload-state.js';

export interface ResumableUploaderOptions {
  jobOptions: JobOptions;
  /** Of the caller, who may repeat the call with it. */
  idempotencyKey?: string | undefined;
  partSize: number;
  concurrency: number;
  /** Of the parts of all files that are sent; a small file is one. */
  partSemaphore: Semaphore;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  state?: UploadStateStore | undefined;
}

/** Sends one audio source: create, PUTs, complete. Continues what a stored state describes. */
export class ResumableUploader {
  private state!: UploadState;
  private uploadedBytes = 0;
  /** Whether the response to the last create was that of an earlier one. */
  private isReplayed = false;
  /** Until it is reported. */
  private restartReason: string | undefined;
  private saves = Promise.resolve();

  constructor(
    private readonly transport: HttpTransport,
    private readonly source: AudioPartReader,
    private readonly settings: ResumableUploaderOptions,
  ) {}

  /** @returns the id of the queued job */
  async run(): Promise<string> {
    const loaded = await this.settings.state?.load();
    const continued = loaded?.fingerprint === this.source.fingerprint ? loaded : undefined;
    const { idempotencyKey } = this.settings;
    if (continued === undefined)
      return idempotencyKey === undefined
        ? this.send(this.createState(crypto.randomUUID()))
        : this.sendWithKey(idempotencyKey);
    if (await this.isQueued(continued)) return this.finish(continued.jobId as string);
    if (this.restartReason === undefined)
      try {
        return await this.send(continued);
      } catch (error) {
        const queuedJobId = await this.endOrFindQueued(error);
        if (queuedJobId !== undefined) return this.finish(queuedJobId);
      }
    // The key of the caller would make the job that cannot be continued.
    return this.send(this.createState(crypto.randomUUID()));
  }

  /**
   * A create may be replayed whose upload has ended. Another one takes its place, under a key that is always the same: the key of the
   * caller makes one job, however often the call is repeated.
   */
  private async sendWithKey(key: string): Promise<string> {
    try {
      return await this.send(this.createState(key));
    } catch (error) {
      const { jobId } = this.state;
      if (!this.isReplayed || jobId === undefined) throw error;
      const queuedJobId = await this.endOrFindQueued(error);
      return queuedJobId === undefined ? this.sendWithKey(`after ${jobId}`) : this.finish(queuedJobId);
    }
  }

  /**
   * Ends an earlier upload that cannot be continued, and sets why.
   * @returns its job, if that is queued
   * @throws the error, if it is of another kind
   */
  private async endOrFindQueued(error: unknown): Promise<string | undefined> {
    this.restartReason = toUploadRestartReason(error);
    if (this.restartReason === undefined) throw error;
    const { jobId } = this.state;
    return jobId === undefined || (await this.endEarlier(jobId)) ? undefined : jobId;
  }

  /** Also if the response to its completion was lost: a create is replayed for a day only. Sets why it cannot be continued. */
  private async isQueued(state: UploadState): Promise<boolean> {
    this.state = state;
    if (state.jobId === undefined) return false;
    const job = await findJob(this.transport, state.jobId, this.settings.signal);
    if (job === undefined) this.restartReason = EARLIER_JOB_GONE_REASON;
    else if (job.failed_stage === 'upload')
      this.restartReason = toUploadRestartReason(new JobFailedError(job as EndedJob));
    else return state.completed || job.status !== 'processing';
    return false;
  }

  private get isSingle(): boolean {
    const { size } = this.source;
    return size !== null && size <= this.settings.partSize;
  }

  private createState(idempotencyKey: string): UploadState {
    const { fingerprint } = this.source;
    return {
      version: 1,
      idempotencyKey,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      parts: [],
      completed: false,
    };
  }

  private async send(state: UploadState): Promise<string> {
    this.state = state;
    this.uploadedBytes = 0;
    await this.save();
    const { size } = this.source;
    const { partSemaphore, signal } = this.settings;
    if (!this.isSingle) return this.finish(await this.sendInParts(size));
    // Its URL expires soon, so it is made when the file may be sent.
    return this.finish(await partSemaphore.run(() => this.sendWhole(size as number), signal));
  }

  private async finish(jobId: string): Promise<string> {
    this.state.completed = true;
    await this.save();
    return jobId;
  }

  private async sendWhole(size: number): Promise<string> {
    const created = await this.create<UploadResponse>('api/v1/upload', { file_size: size });
    if ('queuedJobId' in created) return created.queuedJobId;
    const { job_id: jobId, upload_url: url, content_type: contentType } = created.upload;
    const { signal } = this.settings;
    const completion = { jobId, signal };
    // A bucket that encrypts with KMS gives the same bytes another ETag, and then a queued job fails.
    if (
      this.isReplayed &&
      (await this.completeUploadAttachingJobId(jobId, () => completeIfArrived(this.transport, completion)))
    )
      return jobId;
    const { done, value } = await this.source.readParts(Math.max(1, size), new Set()).next();
    const body = done === true ? new Blob() : await value.read();
    this.report(0);
    const stopPings = startUploadKeepAlive(this.transport, jobId);
    try {
      await this.transport.put(url as string, { body, contentType, signal });
    } catch (error) {
      await this.throwUnlessQueued(jobId, error);
      return jobId;
    } finally {
      stopPings();
    }
    this.report(size);
    await this.completeUploadAttachingJobId(jobId, () => completeUpload(this.transport, completion));
    return jobId;
  }

  /** @throws the error of the completion, with the id of the job if the response was lost */
  private async completeUploadAttachingJobId<T>(jobId: string, complete: () => Promise<T>): Promise<T> {
    try {
      return await complete();
    } catch (error) {
      addJobIdIfResponseWasLost(error, jobId);
      throw error;
    }
  }

  private async sendInParts(size: number | null): Promise<string> {
    const { concurrency, partSemaphore, partSize, signal, idempotencyKey } = this.settings;
    const isUnknownJob = idempotencyKey !== undefined && this.state.jobId === undefined;
    const created = await this.create<MultipartResponse>('api/v1/upload/multipart/create', {
      file_size: size ?? (await fetchMaxMultipartUploadBytes(this.transport, signal)),
      part_size: partSize,
    });
    if ('queuedJobId' in created) return created.queuedJobId;
    const { upload } = created;
    const { job_id: jobId, part_size: actualPartSize } = upload;
    // Before a stream is read, which can be done once.
    if (this.isReplayed && isUnknownJob) await throwIfUploadFailed(this.transport, jobId, signal);
    this.report(countStoredBytes(this.state.parts, { size, partSize: actualPartSize }));
    let isSent = false;
    try {
      await uploadMissingParts(this.transport, this.source, upload, {
        concurrency,
        partSemaphore,
        signal,
        stored: this.state.parts,
        onStored: async (part, bytes) => {
          this.state.parts.push(part);
          // What was reported must not be sent again by another process.
          await this.save();
          this.report(bytes);
        },
      });
      isSent = true;
      await completeUpload(this.transport, { jobId, parts: this.state.parts, signal });
    } catch (error) {
      const isRepeatable = this.settings.state !== undefined || idempotencyKey !== undefined;
      const status = isRepeatable ? undefined : await abortUpload(this.transport, jobId);
      const isQueued = status !== undefined && !['aborted', 'failed'].includes(status);
      if (isQueued && signal?.aborted !== true) return jobId;
      if (isSent && status === undefined) addJobIdIfResponseWasLost(error, jobId);
      await this.throwUnlessQueued(jobId, error);
    }
    return jobId;
  }

  /**
   * Its response is replayed if the state is that of an earlier process, unless the service has forgotten the key, or has it for the
   * other kind of upload.
   * @returns the earlier job instead, if that turns out to be queued
   */
  private async create<T extends { job_id: string }>(
    path: string,
    fields: object,
  ): Promise<{ upload: T } | { queuedJobId: string }> {
    const { signal } = this.settings;
    const { body: upload, headers } = await this.transport.requestJsonWithHeaders<T>({
      method: 'POST',
      path,
      json: { ...this.settings.jobOptions, ...fields },
      headers: { 'idempotency-key': this.state.idempotencyKey },
      expectedField: 'job_id',
      signal,
    });
    const { job_id: jobId } = upload;
    const { jobId: earlier } = this.state;
    if (earlier !== undefined && earlier !== jobId) {
      if (!(await this.endEarlier(earlier))) {
        // As if it had never been made, without a webhook. If that fails, its upload expires.
        await this.transport
          .delete(`api/v1/jobs/${encodeURIComponent(jobId)}`, signal)
          .catch(() => undefined);
        return { queuedJobId: earlier };
      }
      this.restartReason = EARLIER_URLS_EXPIRED_REASON;
    }
    if (earlier !== jobId) this.state.parts = [];
    this.state.jobId = jobId;
    await this.save();
    this.isReplayed = headers.has('idempotency-replayed');
    return { upload };
  }

  /** @returns false if the job of the state is queued, or has been transcribed */
  private endEarlier(jobId: string): Promise<boolean> {
    const options = { isMultipart: this.state.parts.length > 0, signal: this.settings.signal };
    return endOutdatedUpload(this.transport, jobId, options);
  }

  /** A URL is closed when the upload was completed, perhaps by an earlier process, or when the job has failed. */
  private async throwUnlessQueued(jobId: string, error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.code !== 'upload_closed') throw error;
    await throwIfUploadFailed(this.transport, jobId, this.settings.signal);
  }

  private report(bytes: number): void {
    this.uploadedBytes += bytes;
    const { uploadedBytes, source, restartReason } = this;
    this.restartReason = undefined;
    this.settings.onProgress?.({
      phase: 'upload',
      uploadedBytes,
      totalBytes: source.size,
      ...(restartReason !== undefined && { restartReason }),
    });
  }

  /** One after the other, because parts end at the same time. */
  private save(): Promise<void> {
    const { state } = this.settings;
    if (state === undefined) return Promise.resolve();
    this.saves = this.saves.then(() => state.save(structuredClone(this.state)));
    return this.saves;
  }
}
