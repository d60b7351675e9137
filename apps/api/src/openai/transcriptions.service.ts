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

/** What the audio really is, decoding tells. */
const AUDIO_TYPE = 'application/octet-stream';

interface ReceivedForm {
  params: TranscriptionParams;
  requested: ValidatedJobRequest;
  stored: ObjectInfo;
}

/** Takes the form of a transcription and makes its job. */
@Injectable()
export class TranscriptionsService {
  constructor(
    private readonly jobs: StreamedUploadJobs,
    private readonly validator: JobRequestValidator,
    private readonly admission: AdmissionControl,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Takes the whole form; then there is a job, queued.
   * @throws ServiceError naming the field; nothing is left of the form then, nor when its sender leaves
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
      const { params: wish, requested, stored } = await this.receiveForm(jobId, request);
      await this.jobs.createQueuedJob(jobId, caller, requested, stored);
      return { jobId, wish };
    });
  }

  private assertDeclaredLength({ headers }: FormRequest): void {
    if (Number(headers['content-length'] ?? 0) <= this.options.streamBytes + FORM_LIMITS.otherBytes) return;
    throw new ServiceError('file_too_large', {
      detail: `This route takes ${this.options.streamBytes} bytes of audio.`,
    });
  }

  /** The fields may stand behind the file, so that they are judged when its bytes are stored already. */
  private async receiveForm(jobId: string, request: FormRequest): Promise<ReceivedForm> {
    try {
      const { fields, file: stored } = await readForm(request, {
        maxFileBytes: this.options.streamBytes,
        pace: this.options.minTransferRate,
        takeFile: (bytes) => this.jobs.storeAudio(jobId, bytes, AUDIO_TYPE),
      });
      const wish = parseTranscriptionParams(fields);
      return { params: wish, requested: await this.validator.validate(wish.options, null), stored };
    } catch (error) {
      await this.jobs.deleteAudio(jobId);
      throw error;
    }
  }
}
