export interface LoopLogger {
  warn(message: string, context?: object): void;
}

export interface LoopOptions {
  name: string;
  intervalMs: number;
  /** One pass; true when there may be more to do at once. */
  pass: () => Promise<boolean>;
  logger: LoopLogger;
}

/**
 * Runs a pass every interval, and at once when nudged; never two passes at a time.
 * A pass that fails is logged once per outage and tried again at the next interval.
 */
export class Loop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private nudged = false;
  private stopped = false;
  private failing = false;

  constructor(private readonly options: LoopOptions) {}

  start(): void {
    this.nudge();
  }

  nudge(): void {
    this.nudged = true;
    if (!this.running && !this.stopped) this.schedule(0);
  }

  /** Resolves when the pass under way, if any, has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => {
        this.running = undefined;
        if (!this.stopped) this.schedule(this.nudged ? 0 : this.options.intervalMs);
      });
    }, delayMs);
  }

  private async run(): Promise<void> {
    this.nudged = false;
    try {
      while (!this.stopped && (await this.options.pass()));
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.options.logger.warn(`${this.options.name} failed, trying on`, { error });
      this.failing = true;
    }
  }
}
