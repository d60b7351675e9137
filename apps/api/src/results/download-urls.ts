import type { JobView } from '@app/jobs';
import { ResultAddress } from '@app/runtime';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { exporterFor } from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { isNamed } from './transcript.service.js';
import { buildTranscriptFilename } from './transcript-filename.js';

/**
 * Makes the download addresses: of the job before its completion, of the object itself after it. Once speakers have
 * names it is the job's again: the object was written before there were any.
 */
@Injectable()
export class DownloadUrls {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly urlSigner: ResultAddress,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** Readable once the job has completed. */
  forPendingJob(jobId: string): string {
    return this.urlSigner.sign(jobId, this.options.downloadSeconds);
  }

  /** Of a completed job, fresh at every call; null before. */
  async forCompletedJob(
    job: Pick<JobView, 'id' | 'resultKey' | 'options' | 'speakerNames'>,
  ): Promise<string | null> {
    if (job.resultKey === null) return null;
    if (isNamed(job)) return this.forPendingJob(job.id);
    const { extension } = exporterFor(job.options.output_type);
    return this.store.presignGet({
      key: job.resultKey,
      expiresIn: this.options.downloadSeconds,
      filename: buildTranscriptFilename(job.id, extension),
    });
  }
}
