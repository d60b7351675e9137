import { ApiError, JobFailedError } from '../errors.js';
import type { HttpTransport } from '../http/http-transport.js';
import type {
  EndedJob,
  JobActionStatusResponse,
  JobOptions,
  MultipartResponse,
  Progress,
  UploadResponse,
} from '../types.js';
import type { AudioSource } from './audio-source.js';
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
import { startUploadKeepAlive } from './keep-upload-alive.js';
import { countStoredBytes, uploadMissingParts } from './upload-missing-parts.js';
import type { UploadState, UploadStateStore } from './upload-state.js';

const ABORT_TIMEOUT_MS = 5_000;

export interface ResumableUploaderOptions {
  jobOptions: JobOptions;
  idempotencyKey: string;
  partSize: number;
  concurrency: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  state?: UploadStateStore | undefined;
}

/** Sends one audio source: create, PUTs, complete. Continues what a stored state describes. */
export class ResumableUploader {
  private state!: UploadState;
  private uploadedBytes = 0;
  /** Until it is reported. */
  private restartReason: string | undefined;
  private saves = Promise.resolve();

  constructor(
    private readonly transport: HttpTransport,
    private readonly source: AudioSource,
    private readonly settings: ResumableUploaderOptions,
  ) {}

  /** @returns the id of the queued job */
  async run(): Promise<string> {
    const loaded = await this.settings.state?.load();
    const continued = loaded?.fingerprint === this.source.fingerprint ? loaded : undefined;
    if (continued === undefined) return this.send(this.createState(this.settings.idempotencyKey));
    if (await this.isQueued(continued)) return this.finish(continued.jobId as string);
    if (this.restartReason === undefined)
      try {
        return await this.send(continued);
      } catch (error) {
        this.restartReason = toUploadRestartReason(error);
        if (this.restartReason === undefined) throw error;
        const { jobId } = this.state;
        if (jobId !== undefined && !(await this.endEarlier(jobId))) return this.finish(jobId);
      }
    // The key of the caller would make the job that cannot be continued.
    return this.send(this.createState(crypto.randomUUID()));
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
    return this.finish(this.isSingle ? await this.sendWhole(size as number) : await this.sendInParts(size));
  }

  private async finish(jobId: string): Promise<string> {
    this.state.completed = true;
    await this.save();
    return jobId;
  }

  private async sendWhole(size: number): Promise<string> {
    const created = await this.create<UploadResponse>('api/v1/upload', { file_size: size });
    if ('queuedJobId' in created) return created.queuedJobId;
    const { upload, isReplayed } = created;
    const { job_id: jobId, upload_url: url, content_type: contentType } = upload;
    const { signal } = this.settings;
    const completion = { jobId, signal };
    // A bucket that encrypts with KMS gives the same bytes another ETag, and then a queued job fails.
    if (isReplayed && (await this.queueOrNameJob(jobId, () => completeIfArrived(this.transport, completion))))
      return jobId;
    const { done, value } = await this.source.readParts(Math.max(1, size), new Set()).next();
    const body = done === true ? new Uint8Array() : value.bytes;
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
    await this.queueOrNameJob(jobId, () => completeUpload(this.transport, completion));
    return jobId;
  }

  /** @throws the error of the completion, with the id of the job if the response was lost */
  private async queueOrNameJob<T>(jobId: string, complete: () => Promise<T>): Promise<T> {
    try {
      return await complete();
    } catch (error) {
      addJobIdIfResponseWasLost(error, jobId);
      throw error;
    }
  }

  private async sendInParts(size: number | null): Promise<string> {
    const { concurrency, partSize, signal } = this.settings;
    const created = await this.create<MultipartResponse>('api/v1/upload/multipart/create', {
      file_size: size ?? (await this.getMaxBytes()),
      part_size: partSize,
    });
    if ('queuedJobId' in created) return created.queuedJobId;
    const { upload } = created;
    const { job_id: jobId, part_size: actualPartSize } = upload;
    this.report(countStoredBytes(this.state.parts, { size, partSize: actualPartSize }));
    let isSent = false;
    try {
      await uploadMissingParts(this.transport, this.source, upload, {
        concurrency,
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
      // Nobody could continue it.
      const status = this.settings.state === undefined ? await this.abort(jobId) : undefined;
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
  ): Promise<{ upload: T; isReplayed: boolean } | { queuedJobId: string }> {
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
    return { upload, isReplayed: headers.has('idempotency-replayed') };
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

  private async getMaxBytes(): Promise<number> {
    const { max_bytes: maxBytes } = await this.transport.requestJson<{ max_bytes: { multipart: number } }>({
      method: 'GET',
      path: 'api/v1/account',
      signal: this.settings.signal,
    });
    return maxBytes.multipart;
  }

  /**
   * Also after the signal has aborted, so it must not take long. The service ends what is left by itself, later.
   * @returns `aborted`, or the status of a job that was queued or has ended before; undefined without a response
   */
  private async abort(jobId: string): Promise<string | undefined> {
    const request = {
      method: 'POST',
      path: 'api/v1/upload/multipart/abort',
      json: { job_id: jobId },
      maxRetries: 0,
      timeoutMs: ABORT_TIMEOUT_MS,
    } as const;
    const abortion = this.transport.requestJson<JobActionStatusResponse>(request);
    return (await abortion.catch(() => undefined))?.status;
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
