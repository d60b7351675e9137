import { type Caller, recordAuditEvent, toAuditActor } from '@app/auth';
import { inTransaction, Job, tryLockOutBackups } from '@app/database';
import { ServiceError } from '@app/errors';
import { buildTranscriptPrefix, deleteJobAudio, getJob, lockEndedJob } from '@app/jobs';
import { addLogFields } from '@app/runtime';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';

const BACKUP_RETRY_SECONDS = 60;

@Injectable()
export class JobDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /**
   * Deletes transcript, audio and row of a job that has ended; entries of the ledger stay. Objects are deleted first, so
   * that a repeated request deletes what a crash left behind.
   * @throws ServiceError `job_not_found`, `conflict` for a job that has not ended, `service_unavailable` during a backup
   */
  async deleteJob(caller: Caller, jobId: string): Promise<void> {
    addLogFields({ job_id: jobId });
    const { accountId } = caller;
    const { id } = await getJob(this.dataSource, accountId, jobId);
    await inTransaction(this.dataSource, async (tx) => {
      const job = await lockEndedJob(tx, id);
      if (!job)
        throw new ServiceError('conflict', { detail: 'The job is being processed; cancel it before.' });
      this.assertWorkersHaveStopped(job);
      if (!(await tryLockOutBackups(tx, ['audio', 'transcripts'])))
        throw new ServiceError('service_unavailable', {
          detail: 'A backup is being made. Delete the job when it is complete.',
          retryAfter: BACKUP_RETRY_SECONDS,
        });
      await deleteJobAudio(this.store, { id, ...job });
      await this.store.deletePrefix(buildTranscriptPrefix(id));
      await tx.delete(Job, { id });
      // Without metadata: nothing that the caller has sent stays.
      await recordAuditEvent(tx, toAuditActor(caller), { accountId, action: 'job.deleted', target: id });
    });
  }

  /** A worker of a failed or cancelled job may store objects until its lease ends. */
  private assertWorkersHaveStopped({ status, secondsSinceEnd }: { status: string; secondsSinceEnd: number }) {
    const seconds = Math.ceil(this.options.leaseSeconds - secondsSinceEnd);
    if (status === 'failed' && seconds > 0)
      throw new ServiceError('conflict', {
        detail: `The job ended a moment ago. Delete it in ${seconds} s.`,
        retryAfter: seconds,
      });
  }
}
