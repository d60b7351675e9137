import type { JobView } from '@app/jobs';
import { ResultAddress } from '@app/runtime';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { exporterFor } from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { isNamed } from './transcripts.js';
import { transcriptFilename } from './transcript-filename.js';

/**
 * Makes the download addresses: of the job before its completion, of the object itself after it. Once speakers have
 * names it is the job's again: the object was written before there were any.
 */
@Injectable()
export class Downloads {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly addresses: ResultAddress,
    @Inject(API_OPTIONS) private readonly options: ApiOptions,
  ) {}

  /** Readable once the job has completed. */
  promised(jobId: string): string {
    return this.addresses.sign(jobId, this.options.downloadSeconds);
  }

  /** Of a completed job, fresh at every call; null before. */
  async of(job: Pick<JobView, 'id' | 'resultKey' | 'options' | 'speakerNames'>): Promise<string | null> {
    if (job.resultKey === null) return null;
    if (isNamed(job)) return this.promised(job.id);
    const { extension } = exporterFor(job.options.output_type);
    return this.store.presignGet({
      key: job.resultKey,
      expiresIn: this.options.downloadSeconds,
      filename: transcriptFilename(job.id, extension),
    });
  }
}
