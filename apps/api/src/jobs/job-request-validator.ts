import { invalidField } from '@app/errors';
import type { NewJob } from '@app/jobs';
import { AddressRefused, OutboundGuard } from '@app/webhooks';
import { Injectable } from '@nestjs/common';
import type { JobOptionsDto } from './job-options.dto.js';
import { normalizeMetadata } from './job-metadata.js';
import { toJobOptions } from './to-job-options.js';

/** What a request says about the job that it asks for. */
export type ValidatedJobRequest = Pick<NewJob, 'options' | 'metadata'>;

/** What is judged of a request before a job is created: its options, and that its addresses lead to the public. */
@Injectable()
export class JobRequestValidator {
  constructor(private readonly guard: OutboundGuard) {}

  async validate(dto: JobOptionsDto, audioUrl: string | null): Promise<ValidatedJobRequest> {
    const options = toJobOptions(dto);
    if (audioUrl !== null) await this.assertPublic('audio_url', audioUrl);
    if (options.callback_url !== null) await this.assertPublic('callback_url', options.callback_url);
    return { options, metadata: normalizeMetadata(dto.metadata) };
  }

  private async assertPublic(field: string, url: string): Promise<void> {
    try {
      await this.guard.assertPublic(url, field);
    } catch (error) {
      throw error instanceof AddressRefused ? invalidField(field, error.message) : error;
    }
  }
}
