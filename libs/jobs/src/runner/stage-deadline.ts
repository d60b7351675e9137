import { GIVEN_UP } from '../lifecycle/given-up.js';
import { StageTrouble } from './stage-failure.js';

/** Ends the wait for work that takes too long, whether it heeds its signal or not. */
export class StageDeadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  readonly signal = this.controller.signal;
  /** Rejects with StageTrouble when the time is over. */
  readonly passed: Promise<never>;

  constructor(seconds: number) {
    let pass: (trouble: StageTrouble) => void = () => undefined;
    this.passed = new Promise((_, reject) => (pass = reject));
    this.passed.catch(() => undefined);
    this.timer = setTimeout(() => {
      // First: what heeds the signal would reject with a reason that says less.
      pass(new StageTrouble(GIVEN_UP.slow));
      this.controller.abort();
    }, seconds * 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
