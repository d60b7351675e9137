import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction } from '@app/database';
import { cancelJob, getJob, JOB_HOOKS_TOKEN, type JobHooks } from '@app/jobs';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getJobAndJoinTrace } from './job-of-request.js';
import type { JobActionStatusResponse } from './job-actions.dto.js';

@Injectable()
export class JobCancellationService {
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
}
