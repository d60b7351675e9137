import { SERVICE_FAILURES, type ServiceFailure } from './service-failures.js';

/** The outcome of a job. */
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
  /** Reason for the caller. */
  reason: string;
  /** Set if the service and not the recording caused the failure. */
  serviceFailure?: ServiceFailure;
}

export function failedOutcome(stage: string, reason: string): FailedOutcome {
  return { status: 'failed', stage, reason };
}

/** The outcome of a job that failed because of the service and not its recording. */
export function serviceFailureOutcome(stage: string, failure: ServiceFailure): FailedOutcome {
  return { ...failedOutcome(stage, SERVICE_FAILURES[failure]), serviceFailure: failure };
}
