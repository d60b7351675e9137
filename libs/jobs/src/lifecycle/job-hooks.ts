import type { JobSource } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { JobOutcome } from './job-outcome.js';

export const JOB_HOOKS = Symbol('JOB_HOOKS');

/**
 * What other parts of the service do inside the transactions of a job: credits, deliveries.
 * Bound by the applications; everything here commits or vanishes with the job's own change.
 */
export interface JobHooks {
  /** Whether the account could pay for so much audio now. Nothing is set aside. */
  canAfford(tx: EntityManager, audio: { accountId: string; seconds: number }): Promise<boolean>;
  /** The length of the audio is known. False when the account cannot pay for it. */
  reserveCredits(
    tx: EntityManager,
    job: { id: string; accountId: string; seconds: number },
  ): Promise<boolean>;
  /** The job reached its terminal state. */
  onJobFinished(tx: EntityManager, job: FinishedJob): Promise<void>;
  /** The transaction in which it did has committed: for logs and metrics. Must not throw. */
  afterJobFinished?(job: FinishedJobSummary): void;
}

/** What there is to say of a job that has ended. */
export interface FinishedJobSummary {
  id: string;
  accountId: string;
  /** Of the request that created it. */
  requestId: string | null;
  source: JobSource;
  outcome: JobOutcome;
  /** Seconds of decoded audio; null where they never became known. */
  audioSeconds: number | null;
  /** Seconds from its creation to its end. */
  totalSeconds: number;
  /** Seconds since it was queued; null where it never was. */
  queuedSeconds: number | null;
}

export interface FinishedJob {
  id: string;
  accountId: string;
  outcome: JobOutcome;
  /** Seconds of audio that were really processed. */
  processedSeconds: number;
}

/** Several parts as one, called in the given order; an account can pay when all of them say so. */
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
