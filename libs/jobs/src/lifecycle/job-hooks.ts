import type { JobSource } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { JobOutcome } from './job-outcome.js';

export const JOB_HOOKS = Symbol('JOB_HOOKS');

/**
 * Callbacks inside the transactions of a job, for credits and webhooks. The applications bind them. Their changes
 * commit or roll back with those of the job.
 */
export interface JobHooks {
  /** Whether the account could pay for this much audio now. Holds nothing. */
  canAfford(tx: EntityManager, audio: { accountId: string; seconds: number }): Promise<boolean>;
  /**
   * Called when the duration of the audio is known.
   * @returns false if the account cannot pay for it
   */
  reserveCredits(
    tx: EntityManager,
    job: { id: string; accountId: string; seconds: number },
  ): Promise<boolean>;
  /** Called when the job reaches a terminal status. */
  onJobFinished(tx: EntityManager, job: FinishedJob): Promise<void>;
  /** Called after the commit of that transaction, for logs and metrics. Must not throw. */
  afterJobFinished?(job: FinishedJobSummary): void;
}

/** Summary of an ended job. */
export interface FinishedJobSummary {
  id: string;
  accountId: string;
  /** Id of the request that created the job. */
  requestId: string | null;
  source: JobSource;
  outcome: JobOutcome;
  /** Seconds of decoded audio; null if unknown. */
  audioSeconds: number | null;
  /** Seconds from creation to end. */
  totalSeconds: number;
  /** Seconds from queueing to end; null if it was never queued. */
  queuedSeconds: number | null;
}

export interface FinishedJob {
  id: string;
  accountId: string;
  outcome: JobOutcome;
  /** Seconds of processed audio. */
  processedSeconds: number;
}

/** Combines hooks, called in the given order; an account can pay if all of them agree. */
export function combineJobHooks(...hooks: Partial<JobHooks>[]): JobHooks {
  return {
    canAfford: async (tx, audio) => {
      for (const part of hooks) if ((await part.canAfford?.(tx, audio)) === false) return false;
      return true;
    },
    reserveCredits: async (tx, job) => {
      for (const part of hooks) if ((await part.reserveCredits?.(tx, job)) === false) return false;
      return true;
    },
    onJobFinished: async (tx, job) => {
      for (const part of hooks) await part.onJobFinished?.(tx, job);
    },
    afterJobFinished: (job) => {
      for (const part of hooks) part.afterJobFinished?.(job);
    },
  };
}
