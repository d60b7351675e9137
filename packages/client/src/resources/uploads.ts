import type { HttpTransport } from '../http/http-transport.js';
import { pickJobOptions, requireInteger, assertStateStoreIfGiven, type SubmitOptions } from '../options.js';
import type { SignalOptions, JobActionStatusResponse } from '../types.js';
import { type AudioData, type AudioPartReader, openAudioPartReader } from '../uploads/audio-part-reader.js';
import { ResumableUploader } from '../uploads/resumable-uploader.js';
import { Semaphore } from '../uploads/semaphore.js';
import { createJobFromUrl } from '../uploads/create-job-from-url.js';

const MIN_PART_SIZE = 5 * 2 ** 20;
const DEFAULT_PART_SIZE = 16 * 2 ** 20;
const DEFAULT_CONCURRENCY = 4;
/** Of all files together: each is in memory, and the service takes a limited number of an account. */
const MAX_PARTS_AT_A_TIME = 16;

/** Audio by path, `file:` URL, http or https URL (which the service fetches), bytes, Blob or stream. */
export type AudioInput = string | URL | AudioData;

export interface SubmittedJob {
  job_id: string;
}

/** Opens a path; where there are no files it throws. */
export type AudioFileOpener = (path: string | URL) => Promise<AudioPartReader>;

export class Uploads {
  private readonly partSemaphore = new Semaphore(MAX_PARTS_AT_A_TIME);

  constructor(
    private readonly transport: HttpTransport,
    private readonly openPath: AudioFileOpener,
  ) {}

  /**
   * Creates a job and sends its audio, in parallel parts if it is large. With `state`, an upload that another process began is
   * continued, and one that is complete already is not sent again.
   * @throws ApiError, ConnectionError, TypeError for wrong options
   */
  async submit(input: AudioInput, options: SubmitOptions = {}): Promise<SubmittedJob> {
    const { fileSize, signal, onProgress, state } = options;
    const settings = {
      jobOptions: pickJobOptions(options),
      idempotencyKey: options.idempotencyKey,
      partSize: requireInteger('partSize', options.partSize ?? DEFAULT_PART_SIZE, MIN_PART_SIZE),
      concurrency: requireInteger('concurrency', options.concurrency ?? DEFAULT_CONCURRENCY, 1),
      partSemaphore: this.partSemaphore,
      signal,
      onProgress,
      state,
    };
    assertStateStoreIfGiven(state);
    signal?.throwIfAborted();
    if (fileSize !== undefined) requireInteger('fileSize', fileSize, 1);
    if (isAddress(input)) return { job_id: await createJobFromUrl(this.transport, String(input), options) };
    const source =
      typeof input === 'string' || input instanceof URL
        ? await this.openPath(input)
        : await openAudioPartReader(input, settings.partSize, fileSize, signal);
    try {
      return { job_id: await new ResumableUploader(this.transport, source, settings).run() };
    } finally {
      await source.close();
    }
  }

  /** Ends a multipart upload and deletes its parts. The job fails at stage `upload`. */
  abort(jobId: string, { signal }: SignalOptions = {}): Promise<JobActionStatusResponse> {
    return this.transport.requestJson({
      method: 'POST',
      path: 'api/v1/upload/multipart/abort',
      json: { job_id: jobId },
      signal,
    });
  }
}

function isAddress(input: AudioInput): input is string | URL {
  if (input instanceof URL) return input.protocol !== 'file:';
  return typeof input === 'string' && /^https?:\/\//i.test(input);
}
