import type { EntityManager } from 'typeorm';
import { notifyJobEventsAfterCommit, type StoredJobEvent } from '../events/job-event.repository.js';
import { buildEndEventData, endJob } from '../lifecycle/end-job.js';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import { buildFailedOutcome } from '../lifecycle/job-outcome.js';
import { lockJobRow } from '../lifecycle/job.repository.js';
import { replaceJobByDeletedJob } from './deleted-job.repository.js';

const DELETED_OUTCOME = buildFailedOutcome('cancelled', 'The job was deleted.');

/** The last event that readers of a job see which was deleted meanwhile, with its own events. */
export function buildFailedEventOfDeletedJob(seq: number): StoredJobEvent {
  return { seq, type: 'failed', data: buildEndEventData(DELETED_OUTCOME) };
}

/**
 * Ends an open job, whose processed audio is charged, and deletes its row with all that belongs to it: events, stages,
 * corrections, deliveries of webhooks. Entries of the ledger stay. Workers lose their leases. Call
 * `deleteObjectsOfDeletedJob` after the commit.
 * @param graceSeconds until no worker of a job that failed or was open can be writing
 * @returns false if the job does not exist
 */
export async function deleteJob(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  graceSeconds: number,
): Promise<boolean> {
  // Before the end: it reads the completed chunks, which a worker may be recording.
  await lockJobRow(tx, jobId);
  await endJob(tx, hooks, jobId, DELETED_OUTCOME);
  notifyJobEventsAfterCommit(tx, jobId);
  return replaceJobByDeletedJob(tx, jobId, graceSeconds);
}
