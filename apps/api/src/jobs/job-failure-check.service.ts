import type { Caller } from '@app/auth';
import { readJobFailedFlags } from '@app/jobs';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { assertValidItems } from '../validation/assert-valid-items.js';
import type { CheckFailedJobsDto, JobFailedFlagsResponse } from './job-actions.dto.js';

@Injectable()
export class JobFailureCheckService {
  constructor(private readonly dataSource: DataSource) {}

  async checkFailedJobs(caller: Caller, { job_ids }: CheckFailedJobsDto): Promise<JobFailedFlagsResponse> {
    assertValidItems('job_ids', job_ids, (id) =>
      isUUID(id, 'loose') ? [] : [{ field: '', message: 'must be a UUID' }],
    );
    return { failed_jobs: await readJobFailedFlags(this.dataSource, caller.accountId, job_ids as string[]) };
  }
}
