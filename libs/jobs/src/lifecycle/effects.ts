import type { EntityManager } from 'typeorm';
import type { Outcome } from './outcome.js';

export const JOB_EFFECTS = Symbol('JOB_EFFECTS');

/**
 * What other rooms do inside the transactions of a job: credits, deliveries.
 * Bound by the applications; everything here commits or vanishes with the job's own change.
 */
export interface JobEffects {
  /** Whether the account could pay for so much audio now. Nothing is set aside. */
  couldPay(tx: EntityManager, audio: { accountId: string; seconds: number }): Promise<boolean>;
  /** The length of the audio is known. False when the account cannot pay for it. */
  durationKnown(tx: EntityManager, job: { id: string; accountId: string; seconds: number }): Promise<boolean>;
  /** The job reached its terminal state. */
  finished(tx: EntityManager, job: FinishedJob): Promise<void>;
}

export interface FinishedJob {
  id: string;
  accountId: string;
  outcome: Outcome;
  /** Seconds of audio that were really processed. */
  processedSeconds: number;
}

/** Several rooms as one, each asked in the given order; all must be able to pay. */
export function combineEffects(...rooms: Partial<JobEffects>[]): JobEffects {
  return {
    couldPay: async (tx, audio) => {
      for (const room of rooms) if ((await room.couldPay?.(tx, audio)) === false) return false;
      return true;
    },
    durationKnown: async (tx, job) => {
      for (const room of rooms) if ((await room.durationKnown?.(tx, job)) === false) return false;
      return true;
    },
    finished: async (tx, job) => {
      for (const room of rooms) await room.finished?.(tx, job);
    },
  };
}
