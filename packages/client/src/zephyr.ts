import { JobFailedError } from './errors.js';
import { HttpTransport } from './http/http-transport.js';
import type { SubmitOptions, ZephyrOptions } from './options.js';
import { Jobs } from './resources/jobs.js';
import { Speakers } from './resources/speakers.js';
import { Transcripts } from './resources/transcripts.js';
import { type AudioInput, type AudioFileOpener, type SubmittedJob, Uploads } from './resources/uploads.js';
import { Webhooks } from './resources/webhooks.js';
import type { Account, EndedJob, OutputType, SignalOptions, TranscriptInFormat } from './types.js';

export interface Transcription<Format extends OutputType> {
  job: EndedJob;
  /** The document for json, text for txt, srt and vtt, bytes for docx and pdf. */
  transcript: TranscriptInFormat<Format>;
}

/** The client, without what only some runtimes have. */
export class ZephyrCore {
  readonly jobs: Jobs;
  readonly transcripts: Transcripts;
  readonly speakers: Speakers;
  readonly uploads: Uploads;
  readonly webhooks = new Webhooks();
  private readonly transport: HttpTransport;

  /** @throws TypeError that names the wrong option */
  constructor(options: ZephyrOptions, openPath: AudioFileOpener) {
    this.transport = new HttpTransport(options);
    this.jobs = new Jobs(this.transport);
    this.transcripts = new Transcripts(this.transport);
    this.speakers = new Speakers(this.transport);
    this.uploads = new Uploads(this.transport, openPath);
  }

  /**
   * Sends audio, waits for the job, and downloads the transcript. With `state`, a process that starts again continues, and the
   * state is cleared when the transcript is there.
   * @throws JobFailedError if there is no transcript; ApiError, ConnectionError
   */
  async transcribe<Format extends OutputType = 'json'>(
    input: AudioInput,
    options: SubmitOptions<Format> = {},
  ): Promise<Transcription<Format>> {
    const { signal, onProgress, state } = options;
    const following = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
    const { job_id: jobId } = await this.submit(input, options);
    const job = await this.jobs.wait(jobId, following);
    if (job.status === 'failed') {
      await state?.clear();
      throw new JobFailedError(job);
    }
    const format = (options.output_type ?? 'json') as Format;
    const transcript =
      job.download_url === null
        ? await this.transcripts.get(jobId, { format, ...following })
        : await this.transcripts.download(job.download_url, format, following);
    await state?.clear();
    return { job, transcript };
  }

  /** Sends audio, and returns when its job is queued. */
  submit(input: AudioInput, options: SubmitOptions = {}): Promise<SubmittedJob> {
    return this.uploads.submit(input, options);
  }

  /** The account: credits, limits and usage. */
  account({ signal }: SignalOptions = {}): Promise<Account> {
    const path = 'api/v1/account';
    return this.transport.requestJson({ method: 'GET', path, expectedField: 'api_key', signal });
  }
}
