import type { JobForApiRoutes } from '@app/jobs';
import {
  OBJECT_STORE_TOKEN,
  type ObjectStore,
  signCompletedTranscriptUrl,
  TranscriptUrlSigner,
} from '@app/storage';
import { getExporter } from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { hasNamedSpeakers } from './transcript-response.service.js';

/**
 * Signs download URLs: of the transcript route before completion, of the stored object after it. With named speakers it
 * is the route again, because the stored object lacks the names.
 */
@Injectable()
export class TranscriptDownloadUrlService {
  constructor(
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly urlSigner: TranscriptUrlSigner,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /** Answers 404 until the job has completed. */
  forPendingJob(jobId: string): string {
    return this.urlSigner.sign(jobId, this.options.downloadSeconds);
  }

  /** Signs a new URL at every call; null before completion. */
  async forCompletedJob(
    job: Pick<JobForApiRoutes, 'id' | 'resultKey' | 'options' | 'speakerNames'>,
  ): Promise<string | null> {
    if (job.resultKey === null) return null;
    const { extension } = getExporter(job.options.output_type);
    const transcript = {
      jobId: job.id,
      resultKey: job.resultKey,
      extension,
      hasNamedSpeakers: hasNamedSpeakers(job),
    };
    return signCompletedTranscriptUrl(this.store, this.urlSigner, transcript, this.options.downloadSeconds);
  }
}
