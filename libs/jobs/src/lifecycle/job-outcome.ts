import { getReportedStep } from '../stages/stage-names.js';

/** Failures of the service, not of the recording. */
export const SERVICE_FAILURE_REASON_BY_CODE = {
  crashing: 'Processing this file ended the worker several times; it was given up.',
  failing: 'Processing failed several times; it was given up.',
  losing: 'Intermediate files of this job were lost several times; it was given up.',
  slow: 'A step of processing took too long several times; it was given up.',
  late: 'The job was not finished within its deadline.',
} as const;

export type ServiceFailureCode = keyof typeof SERVICE_FAILURE_REASON_BY_CODE;

/** @param data of a `failed` event, as stored */
export function getServiceFailureCodeOfFailedEvent(data: Record<string, unknown>): ServiceFailureCode | null {
  const { given_up: code } = data;
  return typeof code === 'string' && Object.hasOwn(SERVICE_FAILURE_REASON_BY_CODE, code)
    ? (code as ServiceFailureCode)
    : null;
}

/** Shown to the caller. */
export const AUDIO_MISSING_FAILURE_REASON =
  'The audio is no longer there: it was deleted or lost before it was processed. Create the job anew and send the audio again.';

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
  return { status: 'failed', stage: getReportedStep(stage), reason };
}

export function buildServiceFailureOutcome(stage: string, failure: ServiceFailureCode): FailedOutcome {
  return { ...buildFailedOutcome(stage, SERVICE_FAILURE_REASON_BY_CODE[failure]), serviceFailure: failure };
}
