import { invalidFieldError } from '@app/errors';
import type { NewJob } from '@app/jobs';
import { SsrfBlockedError, OutboundGuard } from '@app/webhooks';
import { Injectable } from '@nestjs/common';
import type { JobOptionsDto } from './job-options.dto.js';
import { normalizeMetadata } from './job-metadata.js';
import { toJobOptions } from './to-job-options.js';

/** The options and metadata of a requested job. */
export type ValidatedJobRequest = Pick<NewJob, 'options' | 'metadata'>;

/** Validates the options of a request, and that its URLs resolve to public addresses. */
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
      throw error instanceof SsrfBlockedError ? invalidFieldError(field, error.message) : error;
    }
  }
}
