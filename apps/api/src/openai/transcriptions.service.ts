import type { Caller } from '@app/auth';
import { ServiceError } from '@app/errors';
import type { ObjectInfo } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { JobRequestValidator, type ValidatedJobRequest } from '../jobs/job-request-validator.js';
import { AdmissionControl } from '../admission/admission-control.js';
import { assertIdentityEncoding } from '../transcribe/audio-body.js';
import { StreamedUploadJobs } from '../transcribe/streamed-upload-jobs.js';
import { FORM_LIMITS } from './form/create-form-parser.js';
import { type FormRequest, readForm } from './form/read-form.js';
import { parseTranscriptionParams, type TranscriptionParams } from './form/parse-transcription-params.js';

/** The format is detected by decoding. */
const AUDIO_CONTENT_TYPE = 'application/octet-stream';

interface ReceivedForm {
  params: TranscriptionParams;
  requested: ValidatedJobRequest;
  stored: ObjectInfo;
}

/** Receives the form of a transcription and creates its job. */
@Injectable()
export class TranscriptionsService {
  constructor(
    private readonly jobs: StreamedUploadJobs,
    private readonly validator: JobRequestValidator,
    private readonly admission: AdmissionControl,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Reads the whole form, then creates and queues the job.
   * @throws ServiceError naming the field; the stored audio is deleted then, as when the client disconnects
   */
  async acceptForm(
    caller: Caller,
    request: FormRequest,
  ): Promise<{ jobId: string; wish: TranscriptionParams }> {
    assertIdentityEncoding(request.headers);
    await this.jobs.assertCredit(caller);
    this.assertDeclaredLength(request);
    const jobId = uuidv7();
    return this.admission.bodies.run(caller.accountId, async () => {
      const { params, requested, stored } = await this.receiveForm(jobId, request);
      await this.jobs.createQueuedJob(jobId, caller, requested, stored);
      return { jobId, wish: params };
    });
  }

  private assertDeclaredLength({ headers }: FormRequest): void {
    if (Number(headers['content-length'] ?? 0) <= this.options.streamBytes + FORM_LIMITS.otherBytes) return;
    throw new ServiceError('file_too_large', {
      detail: `This route takes ${this.options.streamBytes} bytes of audio.`,
    });
  }

  /** Fields may follow the file, so they are validated after it is stored. */
  private async receiveForm(jobId: string, request: FormRequest): Promise<ReceivedForm> {
    try {
      const { fields, file: stored } = await readForm(request, {
        maxFileBytes: this.options.streamBytes,
        pace: this.options.minTransferRate,
        takeFile: (bytes) => this.jobs.storeAudio(jobId, bytes, AUDIO_CONTENT_TYPE),
      });
      const params = parseTranscriptionParams(fields);
      return { params, requested: await this.validator.validate(params.options, null), stored };
    } catch (error) {
      await this.jobs.deleteAudio(jobId);
      throw error;
    }
  }
}
