import { Semaphore } from '@app/async';
import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction } from '@app/database';
import { describeError, ServiceError } from '@app/errors';
import { deleteJob, deleteObjectsOfDeletedJob, JOB_HOOKS_TOKEN, type JobHooks } from '@app/jobs';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { getJobAndJoinTrace } from './job-of-request.js';

/** Each holds a connection until the store has responded. */
const MAX_CONCURRENT_DELETIONS = 2;
/** Maintenance deletes the objects of requests that have waited for this long. */
const MAX_WAIT_MS = 2_000;

@Injectable()
export class JobDeletionService {
  private readonly deletions = new Semaphore(MAX_CONCURRENT_DELETIONS);
  private readonly logger = new Logger(JobDeletionService.name);

  constructor(
    private readonly dataSource: DataSource,
    @Inject(JOB_HOOKS_TOKEN) private readonly hooks: JobHooks,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /**
   * Deletes the row of a job, which ends it, and then its objects. Maintenance deletes objects that cannot be deleted now,
   * or that a worker or the holder of a signed URL stores afterwards.
   * @throws ServiceError `job_not_found`
   */
  async deleteJob(caller: Caller, jobId: string): Promise<void> {
    const { accountId } = caller;
    const { id } = await getJobAndJoinTrace(this.dataSource, accountId, jobId);
    await inTransaction(this.dataSource, async (tx) => {
      const isDeleted = await deleteJob(tx, this.hooks, id, this.options.leaseSeconds);
      // Another request was faster.
      if (!isDeleted) throw new ServiceError('job_not_found');
      // Without metadata: nothing that the caller has sent stays.
      await recordAuditEvent(tx, toAuditActor(caller), { accountId, action: 'job.deleted', target: id });
    });
    // Rejects only if it has waited for too long.
    await this.deletions
      .run(AbortSignal.timeout(MAX_WAIT_MS), () => this.deleteObjects(id))
      .catch(() => undefined);
  }

  /** The job is gone whatever happens here. */
  private async deleteObjects(id: string): Promise<void> {
    try {
      const isDone = await deleteObjectsOfDeletedJob(this.dataSource, this.store, id);
      if (!isDone)
        this.logger.log(`objects of deleted job ${id} are deleted after the backup that is running`);
    } catch (error) {
      this.logger.warn(`objects of deleted job ${id} are deleted later: ${describeError(error)}`);
    }
  }
}
