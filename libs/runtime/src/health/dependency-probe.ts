import { settlesWithin } from '@app/jobs';

export type DependencyState = 'up' | 'down';

export interface ProbeTimings {
  /** Milliseconds for which a result is given to whoever asks. */
  freshMs: number;
  /** Milliseconds that one caller waits, less than a proxy waits for a health check. */
  patienceMs: number;
  /** Milliseconds after which a dependency that has not answered counts as down. */
  boundMs: number;
}

const DEFAULT_TIMINGS: ProbeTimings = { freshMs: 1_000, patienceMs: 1_000, boundMs: 3_000 };

/**
 * Checks one dependency, never twice at a time, however many callers ask. A check that takes long keeps nobody waiting:
 * until `boundMs` the state before it stands, since one slow answer is no outage.
 */
export class DependencyProbe {
  private checking: { since: number; ended: Promise<void> } | undefined;
  private last: { state: DependencyState; at: number } | undefined;

  constructor(
    private readonly check: () => Promise<unknown>,
    private readonly timings: ProbeTimings = DEFAULT_TIMINGS,
  ) {}

  async state(): Promise<DependencyState> {
    const { freshMs, patienceMs, boundMs } = this.timings;
    if (this.last !== undefined && performance.now() - this.last.at < freshMs) return this.last.state;
    const checking = (this.checking ??= this.startCheck());
    await settlesWithin(checking.ended, patienceMs);
    const unanswered = this.checking === checking;
    if (unanswered && performance.now() - checking.since >= boundMs) return 'down';
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
