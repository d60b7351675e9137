import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction } from '@app/database';
import { cancelJob, readJobFailedFlags, getJob, JOB_HOOKS_TOKEN, type JobHooks } from '@app/jobs';
import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import type { JobActionStatusResponse } from '../uploads/upload.dto.js';
import { assertValidItems } from '../validation/assert-valid-items.js';
import { getJobAndJoinTrace } from './job-of-request.js';
import type { CheckFailedJobsDto, JobFailedFlagsResponse } from './job-actions.dto.js';

@Injectable()
export class JobCancellationAndFailureCheckService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(JOB_HOOKS_TOKEN) private readonly hooks: JobHooks,
  ) {}

  /** Returns the status of the job if nothing is left to cancel. Maintenance deletes the audio. */
  async cancelJob(caller: Caller, jobId: string): Promise<JobActionStatusResponse> {
    const job = await getJobAndJoinTrace(this.dataSource, caller.accountId, jobId);
    const { accountId } = caller;
    const isCancelled = await inTransaction(this.dataSource, async (tx) => {
      if (!(await cancelJob(tx, this.hooks, job.id))) return false;
      await recordAuditEvent(tx, toAuditActor(caller), {
        accountId,
        action: 'job.cancelled',
        target: job.id,
      });
      return true;
    });
    if (isCancelled) return { status: 'cancelled' };
    return { status: (await getJob(this.dataSource, caller.accountId, job.id)).status };
  }

  async checkFailedJobs(caller: Caller, { job_ids }: CheckFailedJobsDto): Promise<JobFailedFlagsResponse> {
    assertValidItems('job_ids', job_ids, (id) =>
      isUUID(id, 'loose') ? [] : [{ field: '', message: 'must be a UUID' }],
    );
    return { failed_jobs: await readJobFailedFlags(this.dataSource, caller.accountId, job_ids as string[]) };
  }
}
