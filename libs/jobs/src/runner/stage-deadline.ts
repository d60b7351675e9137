import { SERVICE_FAILURES } from '../lifecycle/service-failures.js';
import { RetryableStageError } from './stage-errors.js';

/** Ends the wait for work that takes too long, whether it heeds its signal or not. */
export class StageDeadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  readonly signal = this.controller.signal;
  /** Rejects with RetryableStageError when the time is over. */
  readonly expired: Promise<never>;

  constructor(seconds: number) {
    let rejectExpired: (trouble: RetryableStageError) => void = () => undefined;
    this.expired = new Promise((_, reject) => (rejectExpired = reject));
    this.expired.catch(() => undefined);
    this.timer = setTimeout(() => {
      // First: what heeds the signal would reject with a reason that says less.
      rejectExpired(new RetryableStageError(SERVICE_FAILURES.slow));
      this.controller.abort();
    }, seconds * 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
