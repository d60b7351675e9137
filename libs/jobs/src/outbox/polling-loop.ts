import { AsyncLocalStorage } from 'node:async_hooks';

export interface PollingLoopLogger {
  warn(message: string, context?: object): void;
}

export interface PollingLoopOptions {
  name: string;
  intervalMs: number;
  /**
   * One pass; true when there may be more to do at once.
   * @param stop aborted when the loop is stopped; a pass that takes long ends then, and may throw its reason
   */
  tick: (stop: AbortSignal) => Promise<boolean>;
  logger: PollingLoopLogger;
}

/**
 * Runs a pass every interval, and at once when nudged; never two passes at a time.
 * Passes run in the async context in which the loop was made, never in that of a request that nudged it.
 * A pass that fails is logged once per outage and tried again at the next interval; so is the first that succeeds after.
 */
export class PollingLoop {
  private readonly runInOwnContext = AsyncLocalStorage.snapshot();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private wakeRequested = false;
  private readonly stopping = new AbortController();
  private failing = false;

  constructor(private readonly options: PollingLoopOptions) {}

  start(): void {
    this.wake();
  }

  wake(): void {
    this.wakeRequested = true;
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
    this.timer = this.runInOwnContext(setTimeout, () => this.startRun(), delayMs);
  }

  private startRun(): void {
    this.running = this.run().finally(() => {
      this.running = undefined;
      if (!this.stopping.signal.aborted) this.schedule(this.wakeRequested ? 0 : this.options.intervalMs);
    });
  }

  private async run(): Promise<void> {
    this.wakeRequested = false;
    const { signal } = this.stopping;
    try {
      while (!signal.aborted && (await this.options.tick(signal)));
      if (this.failing) this.options.logger.warn(`${this.options.name} works again`);
      this.failing = false;
    } catch (error) {
      if (signal.aborted && error === signal.reason) return;
      if (!this.failing) this.options.logger.warn(`${this.options.name} failed, will retry`, { error });
      this.failing = true;
    }
  }
}
