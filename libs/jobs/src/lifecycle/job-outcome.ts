import { SERVICE_FAILURES, type ServiceFailure } from './service-failures.js';

/** How a job ends. */
export type JobOutcome = CompletedOutcome | FailedOutcome;

export interface CompletedOutcome {
  status: 'completed';
  /** Object key of the transcript. */
  resultKey: string;
}

export interface FailedOutcome {
  status: 'failed';
  /** `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing` or `cancelled`. */
  stage: string;
  /** A sentence for the caller. */
  reason: string;
  /** Set when it says nothing of the recording. */
  serviceFailure?: ServiceFailure;
}

export function failedOutcome(stage: string, reason: string): FailedOutcome {
  return { status: 'failed', stage, reason };
}

/** A job that the service, and not its recording, is to blame for. */
export function serviceFailureOutcome(stage: string, failure: ServiceFailure): FailedOutcome {
  return { ...failedOutcome(stage, SERVICE_FAILURES[failure]), serviceFailure: failure };
}
