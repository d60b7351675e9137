import { AsyncLocalStorage } from 'node:async_hooks';

export interface PollingLoopLogger {
  warn(message: string, context?: object): void;
}

export interface PollingLoopOptions {
  name: string;
  intervalMs: number;
  /**
   * @returns true to run again at once. @param stop aborted when the loop is stopped; a long tick must then
   * end
   */
  tick: (stop: AbortSignal) => Promise<boolean | void>;
  logger: PollingLoopLogger;
}

/**
 * Runs `tick` every interval and at once after `wake`; ticks never overlap. They run in the async context in
 * which the loop was created, not of the request that woke it. A failing tick is retried at the next
 * interval; only the first failure and the recovery are logged.
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

  /** Waits for the running tick. */
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
