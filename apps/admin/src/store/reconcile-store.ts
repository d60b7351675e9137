import { inTransaction } from '@app/database';
import { acceptRestoredDatabase, readStoreIdentity } from '@app/installation';
import { completeFromTranscript, type JobHooks, InsufficientCreditsError } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { assertStoreState } from './assert-store-state.js';
import { type StoreComparison, compareStore } from './compare-store.js';

export interface ReconcileReport extends StoreComparison {
  /** Completed from what lies in the store; none in a dry run. */
  completed: string[];
  /** Whose account has not enough credit for that: they go on from their rows. */
  notPaidFor: string[];
}

export interface ReconcileDependencies {
  dataSource: DataSource;
  store: ObjectStore;
  hooks: JobHooks;
}

/**
 * Compares a restored database with its store. Unless `isDry`, jobs whose transcript is finished are completed from it, and
 * the database is accepted as the truth: processors start again. No object is deleted or changed. It may run beside
 * programs: what is held under a lease is left alone, and each job is decided in one transaction, under its row's lock.
 * @throws CommandError when the two are not of one installation
 */
export async function reconcileStore(
  { dataSource, store, hooks }: ReconcileDependencies,
  isDry: boolean,
): Promise<ReconcileReport> {
  const { state } = await readStoreIdentity(dataSource, store);
  assertStoreState(state, ['agreed', 'database_older']);
  const comparison = await compareStore(dataSource, store);
  const reconciled: ReconcileReport = { ...comparison, completed: [], notPaidFor: [] };
  if (isDry) return reconciled;
  for (const [jobId, transcript] of comparison.finished) {
    try {
      const work = inTransaction(dataSource, (tx) => completeFromTranscript(tx, hooks, jobId, transcript));
      if (await work) reconciled.completed.push(jobId);
    } catch (error) {
      if (!(error instanceof InsufficientCreditsError)) throw error;
      reconciled.notPaidFor.push(jobId);
    }
  }
  if (state === 'database_older') await acceptRestoredDatabase(dataSource, store);
  return reconciled;
}
