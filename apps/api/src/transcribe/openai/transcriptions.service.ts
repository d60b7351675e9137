import type { Caller } from '@app/auth';
import { ServiceError } from '@app/errors';
import { DEFAULT_JOB_OPTIONS, type JobOptions } from '@app/jobs';
import type { ObjectInfo } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { parseContentLength } from '../../request-body/parse-content-length.js';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { JobRequestValidator, type ValidatedJobRequest } from '../../jobs/job-request-validator.js';
import type { RequestWithUnreadBody } from '../../request-body/register-unread-body-passthrough.js';
import { RequestConcurrencyLimiters } from '../../admission/request-concurrency-limiters.js';
import { assertIdentityContentEncoding } from '../../request-body/assert-identity-content-encoding.js';
import { createAudioTooLargeError } from '../audio-body.js';
import { JobEndWaiter } from '../job-end-waiter.js';
import { StreamedAudioJobService } from '../streamed-audio-job.service.js';
import { TranscriptTextReader } from '../transcript-text-reader.js';
import { TRANSCRIPTION_FORM_LIMITS, readFormAndStoreFile } from './form/read-form.js';
import { parseTranscriptionParams, type TranscriptionParams } from './form/parse-transcription-params.js';
import type { TranscriptTextDeltas } from '../../transcripts/rendering/run-render-task.js';
import type { RenderedTranscription } from './render/render-transcription.js';
import { toJobFailureError } from './to-job-failure-error.js';

/** The format is detected by decoding. */
const AUDIO_CONTENT_TYPE = 'application/octet-stream';

interface ReceivedForm {
  params: TranscriptionParams;
  requested: ValidatedJobRequest;
  stored: ObjectInfo;
}

/** Creates the job of a transcription form and waits for its transcript. */
@Injectable()
export class TranscriptionsService {
  constructor(
    private readonly jobs: StreamedAudioJobService,
    private readonly validator: JobRequestValidator,
    private readonly admission: RequestConcurrencyLimiters,
    private readonly completionWaiter: JobEndWaiter,
    private readonly transcripts: TranscriptTextReader,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /**
   * Reads the whole form, then creates and queues the job.
   * @param onJobMayExist called when the job exists, or the outcome of its commit is unknown
   * @throws ServiceError naming the field; the stored audio is deleted then, as when the client disconnects
   */
  async createJobFromForm(
    caller: Caller,
    request: RequestWithUnreadBody,
    onJobMayExist: (jobId: string) => void,
  ): Promise<{ jobId: string; params: TranscriptionParams; options: JobOptions }> {
    assertIdentityContentEncoding(request.headers);
    const jobId = uuidv7();
    // The vocabulary is known only after the file.
    return this.jobs.runWithinCreditAndQuotas(caller, { options: DEFAULT_JOB_OPTIONS }, () => {
      this.assertDeclaredLength(request);
      return this.admission.bodies.run(caller.accountId, async () => {
        const { params, requested, stored } = await this.receiveForm(caller.accountId, jobId, request);
        const created = this.jobs.createQueuedJobWithinQuotas(jobId, caller, requested, stored);
        await created.catch((error: unknown) => {
          if (!(error instanceof ServiceError)) onJobMayExist(jobId);
          throw error;
        });
        onJobMayExist(jobId);
        return { jobId, params, options: requested.options };
      });
    });
  }

  /**
   * Resolves with the transcript when the job has completed.
   * @param signal aborts waiting; the job continues
   * @throws ServiceError the failure of the job, or as `JobEndWaiter.failOnInterruption`
   */
  async waitForTranscription(
    caller: Caller,
    jobId: string,
    params: TranscriptionParams,
    signal: AbortSignal,
  ): Promise<RenderedTranscription> {
    await this.waitUntilCompleted(caller, jobId, signal);
    return this.transcripts.readTranscription(caller.accountId, jobId, {
      format: params.format,
      granularities: params.granularities,
    });
  }

  /** Like `waitForTranscription`, for a streamed response. */
  async waitForDeltas(caller: Caller, jobId: string, signal: AbortSignal): Promise<TranscriptTextDeltas> {
    await this.waitUntilCompleted(caller, jobId, signal);
    return this.transcripts.readDeltas(caller.accountId, jobId);
  }

  private async waitUntilCompleted(caller: Caller, jobId: string, signal: AbortSignal): Promise<void> {
    const { type, data } = await this.completionWaiter.waitForFinalEvent(caller, jobId, signal);
    if (type === 'failed') throw toJobFailureError(data);
  }

  private assertDeclaredLength({ headers }: RequestWithUnreadBody): void {
    const { audioBodyBytes } = this.options;
    const length = parseContentLength(headers);
    if (length > audioBodyBytes + TRANSCRIPTION_FORM_LIMITS.otherBytes)
      throw createAudioTooLargeError(audioBodyBytes);
  }

  /** Fields may follow the file, so they are validated after it is stored. */
  private async receiveForm(
    accountId: string,
    jobId: string,
    request: RequestWithUnreadBody,
  ): Promise<ReceivedForm> {
    let isStoring = false;
    try {
      const { fields, file: stored } = await readFormAndStoreFile(request, {
        maxFileBytes: this.options.audioBodyBytes,
        minTransferRate: this.options.minTransferRate,
        storeFile: (bytes) => {
          isStoring = true;
          const length = parseContentLength(request.headers);
          return this.jobs.storeAudio(jobId, bytes, AUDIO_CONTENT_TYPE, length);
        },
      });
      const params = parseTranscriptionParams(fields);
      const requested = await this.validator.toValidatedRequest(accountId, params.options, null);
      return { params, requested, stored };
    } catch (error) {
      if (isStoring) await this.jobs.deleteAudio(jobId);
      throw error;
    }
  }
}
