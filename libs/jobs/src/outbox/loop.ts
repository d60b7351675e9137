import { AsyncLocalStorage } from 'node:async_hooks';

export interface LoopLogger {
  warn(message: string, context?: object): void;
}

export interface LoopOptions {
  name: string;
  intervalMs: number;
  /**
   * One pass; true when there may be more to do at once.
   * @param stop aborted when the loop is stopped; a pass that takes long ends then, and may throw its reason
   */
  pass: (stop: AbortSignal) => Promise<boolean>;
  logger: LoopLogger;
}

/**
 * Runs a pass every interval, and at once when nudged; never two passes at a time.
 * Passes run in the async context in which the loop was made, never in that of a request that nudged it.
 * A pass that fails is logged once per outage and tried again at the next interval; so is the first that succeeds after.
 */
export class Loop {
  private readonly inOwnContext = AsyncLocalStorage.snapshot();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private nudged = false;
  private readonly stopping = new AbortController();
  private failing = false;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.nudge();
  }

  nudge(): void {
    this.nudged = true;
    if (!this.running && !this.stopping.signal.aborted) this.schedule(0);
  }

  /** Resolves when the pass under way, if any, has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = this.inOwnContext(setTimeout, () => this.begin(), delayMs);
  }

  private begin(): void {
    this.running = this.run().finally(() => {
      this.running = undefined;
      if (!this.stopping.signal.aborted) this.schedule(this.nudged ? 0 : this.options.intervalMs);
    });
  }

  private async run(): Promise<void> {
    this.nudged = false;
    const { signal } = this.stopping;
    try {
      while (!signal.aborted && (await this.options.pass(signal)));
      if (this.failing) this.options.logger.warn(`${this.options.name} works again`);
      this.failing = false;
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      if (!this.failing) this.options.logger.warn(`${this.options.name} failed, will retry`, { error });
      this.failing = true;
    }
  }
}
