import { SERVICE_FAILURES } from '../lifecycle/service-failures.js';
import { RetryableStageError } from './stage-errors.js';

/** Stops waiting for work that exceeds its time limit, even if it ignores its signal. */
export class StageDeadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  readonly signal = this.controller.signal;
  /** Rejects with RetryableStageError at the deadline. */
  readonly expired: Promise<never>;

  constructor(seconds: number) {
    let rejectExpired: (trouble: RetryableStageError) => void = () => undefined;
    this.expired = new Promise((_, reject) => (rejectExpired = reject));
    this.expired.catch(() => undefined);
    this.timer = setTimeout(() => {
      // First, because work that handles the signal rejects with a less specific reason.
      rejectExpired(new RetryableStageError(SERVICE_FAILURES.slow));
      this.controller.abort();
    }, seconds * 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
