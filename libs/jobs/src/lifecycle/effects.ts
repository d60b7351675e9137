import type { JobSource } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { Outcome } from './outcome.js';

export const JOB_EFFECTS = Symbol('JOB_EFFECTS');

/**
 * What other parts of the service do inside the transactions of a job: credits, deliveries.
 * Bound by the applications; everything here commits or vanishes with the job's own change.
 */
export interface JobEffects {
  /** Whether the account could pay for so much audio now. Nothing is set aside. */
  couldPay(tx: EntityManager, audio: { accountId: string; seconds: number }): Promise<boolean>;
  /** The length of the audio is known. False when the account cannot pay for it. */
  durationKnown(tx: EntityManager, job: { id: string; accountId: string; seconds: number }): Promise<boolean>;
  /** The job reached its terminal state. */
  finished(tx: EntityManager, job: FinishedJob): Promise<void>;
  /** The transaction in which it did has committed: for logs and metrics. Must not throw. */
  ended?(job: EndedJob): void;
}

/** What there is to say of a job that has ended. */
export interface EndedJob {
  id: string;
  accountId: string;
  /** Of the request that created it. */
  requestId: string | null;
  source: JobSource;
  outcome: Outcome;
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
  outcome: Outcome;
  /** Seconds of audio that were really processed. */
  processedSeconds: number;
}

/** Several parts as one, called in the given order; an account can pay when all of them say so. */
export function combineEffects(...parts: Partial<JobEffects>[]): JobEffects {
  return {
    couldPay: async (tx, audio) => {
      for (const part of parts) if ((await part.couldPay?.(tx, audio)) === false) return false;
      return true;
    },
    durationKnown: async (tx, job) => {
      for (const part of parts) if ((await part.durationKnown?.(tx, job)) === false) return false;
      return true;
    },
    finished: async (tx, job) => {
      for (const part of parts) await part.finished?.(tx, job);
    },
    ended: (job) => {
      for (const part of parts) part.ended?.(job);
    },
  };
}
