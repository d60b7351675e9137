import type { Caller } from '@app/auth';
import { ServiceError } from '@app/errors';
import type { ObjectInfo } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { JobRequestCheck, type RequestedJob } from '../jobs/job-request-check.js';
import { Pressure } from '../pressure/pressure.js';
import { checkEncoding } from '../transcribe/audio-body.js';
import { OneShotJobs } from '../transcribe/one-shot-jobs.js';
import { FORM_LIMITS } from './form/form-parser.js';
import { type FormRequest, readForm } from './form/read-form.js';
import { readWish, type Wish } from './form/transcription-form.js';

/** What the audio really is, decoding tells. */
const AUDIO_TYPE = 'application/octet-stream';

interface Taken {
  wish: Wish;
  requested: RequestedJob;
  stored: ObjectInfo;
}

/** Takes the form of a transcription and makes its job. */
@Injectable()
export class TranscriptionsService {
  constructor(
    private readonly jobs: OneShotJobs,
    private readonly requests: JobRequestCheck,
    private readonly pressure: Pressure,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /**
   * Takes the whole form; then there is a job, queued.
   * @throws ServiceError naming the field; nothing is left of the form then, nor when its sender leaves
   */
  async take(caller: Caller, request: FormRequest): Promise<{ jobId: string; wish: Wish }> {
    checkEncoding(request.headers);
    await this.jobs.admit(caller);
    this.checkDeclaredLength(request);
    const jobId = uuidv7();
    return this.pressure.bodies.during(caller.accountId, async () => {
      const { wish, requested, stored } = await this.form(jobId, request);
      await this.jobs.create(jobId, caller, requested, stored);
      return { jobId, wish };
    });
  }

  private checkDeclaredLength({ headers }: FormRequest): void {
    if (Number(headers['content-length'] ?? 0) <= this.options.streamBytes + FORM_LIMITS.otherBytes) return;
    throw new ServiceError('file_too_large', {
      detail: `This route takes ${this.options.streamBytes} bytes of audio.`,
    });
  }

  /** The fields may stand behind the file, so that they are judged when its bytes are stored already. */
  private async form(jobId: string, request: FormRequest): Promise<Taken> {
    try {
      const { fields, file: stored } = await readForm(request, {
        maxFileBytes: this.options.streamBytes,
        pace: this.options.bodyPace,
        takeFile: (bytes) => this.jobs.storeAudio(jobId, bytes, AUDIO_TYPE),
      });
      const wish = readWish(fields);
      return { wish, requested: await this.requests.check(wish.options, null), stored };
    } catch (error) {
      await this.jobs.dropAudio(jobId);
      throw error;
    }
  }
}
