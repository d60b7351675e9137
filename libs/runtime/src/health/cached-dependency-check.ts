import { settlesWithin } from '@app/async';

export type DependencyState = 'up' | 'down';

export interface CachedDependencyCheckTimings {
  /** Age up to which a result is reused. */
  cacheMs: number;
  /** Per caller; less than the health check timeout of a proxy. */
  maxWaitMs: number;
  /** A slower check counts as down. */
  downAfterMs: number;
}

const DEFAULT_TIMINGS: CachedDependencyCheckTimings = {
  cacheMs: 1_000,
  maxWaitMs: 1_000,
  downAfterMs: 3_000,
};

/**
 * Concurrent callers share one check. During a slow check they get the previous state until `downAfterMs`,
 * because one slow response is not an outage.
 */
export class CachedDependencyCheck {
  private checking: { since: number; ended: Promise<void> } | undefined;
  private last: { state: DependencyState; at: number } | undefined;

  constructor(
    private readonly check: () => Promise<unknown>,
    private readonly timings: CachedDependencyCheckTimings = DEFAULT_TIMINGS,
  ) {}

  async readState(): Promise<DependencyState> {
    const { cacheMs, maxWaitMs, downAfterMs } = this.timings;
    if (this.last !== undefined && performance.now() - this.last.at < cacheMs) return this.last.state;
    const checking = (this.checking ??= this.startCheck());
    await settlesWithin(checking.ended, maxWaitMs);
    const isPending = this.checking === checking;
    if (isPending && performance.now() - checking.since >= downAfterMs) return 'down';
    return this.last?.state ?? 'down';
  }

  private startCheck(): { since: number; ended: Promise<void> } {
    const settle = (state: DependencyState) => {
      this.last = { state, at: performance.now() };
      this.checking = undefined;
    };
    const ended = Promise.resolve()
      .then(this.check)
      .then(
        () => settle('up'),
        () => settle('down'),
      );
    return { since: performance.now(), ended };
  }
}
