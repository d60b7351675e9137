import { GIVEN_UP, type GivenUp } from './given-up.js';

/** How a job ends. */
export type Outcome = Completed | Failed;

export interface Completed {
  status: 'completed';
  /** Object key of the transcript. */
  resultKey: string;
}

export interface Failed {
  status: 'failed';
  /** `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing` or `cancelled`. */
  stage: string;
  /** A sentence for the caller. */
  reason: string;
  /** Set when it says nothing of the recording. */
  givenUp?: GivenUp;
}

export function failed(stage: string, reason: string): Failed {
  return { status: 'failed', stage, reason };
}

/** A job that the service, and not its recording, is to blame for. */
export function givenUp(stage: string, why: GivenUp): Failed {
  return { ...failed(stage, GIVEN_UP[why]), givenUp: why };
}
