import type { JobAudioSource } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import type { JobOutcome } from './job-outcome.js';

export const JOB_HOOKS_TOKEN = Symbol('JOB_HOOKS_TOKEN');

/**
 * Callbacks inside the transactions of a job, for credits and webhooks; their changes commit or roll back
 * with it.
 */
export interface JobHooks {
  /** Holds nothing. */
  canAfford(tx: EntityManager, audio: { accountId: string; seconds: number }): Promise<boolean>;
  /** Called when the duration is known. @returns false if the account cannot pay */
  holdCredits(tx: EntityManager, job: { id: string; accountId: string; seconds: number }): Promise<boolean>;
  /** As `holdCredits`, but the commit fails with the error of `createError` if the account cannot pay. */
  holdCreditsOrFailCommit(
    tx: EntityManager,
    job: { id: string; accountId: string; seconds: number },
    createError: () => Error,
  ): Promise<void>;
  /**
   * What `onJobEnd` charges a completed job.
   * @param job `heldSeconds`: those for which credits are held, if the caller knows; read otherwise
   * @returns credits; null if nothing keeps account of them
   */
  computeCharge(
    dataSource: DataSource,
    job: { id: string; seconds: number; heldSeconds?: number },
  ): Promise<number | null>;
  onJobEnd(tx: EntityManager, job: EndedJob): Promise<void>;
  /** Called after the commit, for logs and metrics. Must not throw. */
  afterJobEnd?(job: JobEndReport): void;
}

export interface JobEndReport {
  id: string;
  accountId: string;
  requestId: string | null;
  traceparent: string | null;
  source: JobAudioSource;
  outcome: JobOutcome;
  /** Null if unknown. */
  audioSeconds: number | null;
  /** From creation to end. */
  totalSeconds: number;
  /** From queueing to end; null if never queued. */
  queuedSeconds: number | null;
}

export interface EndedJob {
  id: string;
  accountId: string;
  outcome: JobOutcome;
  /** Seconds of processed audio. */
  processedSeconds: number;
  /** Whether the job has a `callback_url`, or its account an enabled endpoint; null if unknown. */
  hasWebhookTargets: boolean | null;
}

/** Called in the given order; an account can pay if all hooks agree. */
export function combineJobHooks(...hooks: Partial<JobHooks>[]): JobHooks {
  return {
    canAfford: async (tx, audio) => {
      for (const each of hooks) if ((await each.canAfford?.(tx, audio)) === false) return false;
      return true;
    },
    holdCredits: async (tx, job) => {
      for (const each of hooks) if ((await each.holdCredits?.(tx, job)) === false) return false;
      return true;
    },
    holdCreditsOrFailCommit: async (tx, job, createError) => {
      for (const each of hooks) {
        if (each.holdCreditsOrFailCommit) await each.holdCreditsOrFailCommit(tx, job, createError);
        else if ((await each.holdCredits?.(tx, job)) === false) throw createError();
      }
    },
    computeCharge: async (dataSource, job) => {
      for (const each of hooks) if (each.computeCharge) return each.computeCharge(dataSource, job);
      return null;
    },
    onJobEnd: async (tx, job) => {
      for (const each of hooks) await each.onJobEnd?.(tx, job);
    },
    afterJobEnd: (job) => {
      for (const each of hooks) each.afterJobEnd?.(job);
    },
  };
}
