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
}

export function failed(stage: string, reason: string): Failed {
  return { status: 'failed', stage, reason };
}
