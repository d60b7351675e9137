import { inTransaction, Job } from '@app/database';
import { acceptRestoredDatabase, compareStoreIdentities } from '@app/installation';
import {
  completeRestoredJobFromStoredTranscript,
  type JobHooks,
  InsufficientCreditsError,
  type StoredTranscript,
} from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource, EntityManager } from 'typeorm';
import { recordOperatorAction } from '../operator-audit.js';
import { assertStoreIdentityState } from './store-identity-report.js';
import {
  type JobStorageComparison,
  compareJobsWithStoredObjects,
} from './compare-jobs-with-stored-objects.js';

export interface StoreReconcileReport extends JobStorageComparison {
  /** Completed from their stored transcripts; none in a dry run. */
  completed: string[];
  /** Not completed because the account lacks credits; they continue from their rows. */
  notPaidFor: string[];
}

export interface ReconcileDependencies {
  dataSource: DataSource;
  store: ObjectStore;
  hooks: JobHooks;
}

/**
 * Compares a restored database with its store. Unless `isDry`, it completes jobs whose transcript is finished, and accepts
 * the database, so that processors start again. No object changes. Programs may run meanwhile: leased jobs are skipped,
 * and each job is decided in one transaction under its row lock.
 * @throws CommandError if database and store do not belong together
 */
export async function completeStoredJobsAndAcceptDatabase(
  { dataSource, store, hooks }: ReconcileDependencies,
  isDry: boolean,
): Promise<StoreReconcileReport> {
  const { state } = await compareStoreIdentities(dataSource, store);
  assertStoreIdentityState(state, ['agreed', 'database_older']);
  const comparison = await compareJobsWithStoredObjects(dataSource, store);
  const reconciled: StoreReconcileReport = { ...comparison, completed: [], notPaidFor: [] };
  if (isDry) return reconciled;
  for (const [jobId, transcript] of comparison.finished) {
    try {
      const work = inTransaction(dataSource, (tx) => completeAndRecord(tx, hooks, jobId, transcript));
      if (await work) reconciled.completed.push(jobId);
    } catch (error) {
      if (!(error instanceof InsufficientCreditsError)) throw error;
      reconciled.notPaidFor.push(jobId);
    }
  }
  if (state === 'database_older') await acceptRestoredDatabase(dataSource, store);
  return reconciled;
}

/** The account finds each job in its audit log. @returns false if the job has ended or is leased */
async function completeAndRecord(
  tx: EntityManager,
  hooks: JobHooks,
  jobId: string,
  transcript: StoredTranscript,
): Promise<boolean> {
  if (!(await completeRestoredJobFromStoredTranscript(tx, hooks, jobId, transcript))) return false;
  const { accountId } = await tx.findOneByOrFail(Job, { id: jobId });
  await recordOperatorAction(tx, { accountId, action: 'job.completed_from_store', target: jobId });
  return true;
}
