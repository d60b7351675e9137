import { SERVICE_FAILURE_REASON_BY_CODE, type ServiceFailureCode } from './job-failure-reasons.js';

export type JobOutcome = CompletedOutcome | FailedOutcome;

export interface CompletedOutcome {
  status: 'completed';
  resultKey: string;
}

export interface FailedOutcome {
  status: 'failed';
  /** `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing` or `cancelled`. */
  stage: string;
  /** For the caller. */
  reason: string;
  /** Set if the service and not the recording caused the failure. */
  serviceFailure?: ServiceFailureCode;
}

export function buildFailedOutcome(stage: string, reason: string): FailedOutcome {
  return { status: 'failed', stage, reason };
}

export function buildServiceFailureOutcome(stage: string, failure: ServiceFailureCode): FailedOutcome {
  return { ...buildFailedOutcome(stage, SERVICE_FAILURE_REASON_BY_CODE[failure]), serviceFailure: failure };
}
