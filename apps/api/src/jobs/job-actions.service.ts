import type { Caller } from '@app/auth';
import { inTransaction } from '@app/database';
import { cancelJob, haveJobsFailed, findJob, JOB_HOOKS, type JobHooks } from '@app/jobs';
import { addLogFields } from '@app/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import type { StatusResponse } from '../uploads/upload.dto.js';
import { validateItems } from '../validation/validate-items.js';
import type { CheckFailedDto, CheckFailedResponse } from './job-actions.dto.js';

@Injectable()
export class JobActionsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(JOB_HOOKS) private readonly hooks: JobHooks,
  ) {}

  /** A job that has nothing left to cancel answers its own status. Uploaded bytes are deleted by the upkeep. */
  async cancel(caller: Caller, jobId: string): Promise<StatusResponse> {
    addLogFields({ job_id: jobId });
    const job = await findJob(this.dataSource, caller.accountId, jobId);
    if (await inTransaction(this.dataSource, (tx) => cancelJob(tx, this.hooks, job.id)))
      return { status: 'cancelled' };
    return { status: (await findJob(this.dataSource, caller.accountId, job.id)).status };
  }

  async checkFailed(caller: Caller, { job_ids }: CheckFailedDto): Promise<CheckFailedResponse> {
    validateItems('job_ids', job_ids, (id) =>
      isUUID(id, 'loose') ? [] : [{ field: '', message: 'must be a UUID' }],
    );
    return { failed_jobs: await haveJobsFailed(this.dataSource, caller.accountId, job_ids as string[]) };
  }
}
