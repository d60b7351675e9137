import { AsyncLocalStorage } from 'node:async_hooks';
import { describeError } from './with-timeout.js';
import type { QueueLogger } from './queue-options.js';

const REPEAT_INTERVAL_MS = 30_000;

/**
 * Says once that the queue was lost and once that it was found again, however many errors lie between. The queue is the
 * process's: no line belongs to the request that happened to notice.
 */
export class OutageLog {
  private readonly runInOwnContext = AsyncLocalStorage.snapshot();
  private downSince: number | undefined;
  private readonly lastLoggedAt = new Map<string, number>();

  constructor(
    private readonly name: string,
    private readonly logger: QueueLogger,
  ) {}

  get isDown(): boolean {
    return this.downSince !== undefined;
  }

  reportDown(error: unknown): void {
    if (this.downSince !== undefined) return;
    this.downSince = Date.now();
    this.warn(`${this.name}: queue lost: ${describeError(error)}`);
  }

  reportRecovered(): void {
    if (this.downSince === undefined) return;
    const seconds = ((Date.now() - this.downSince) / 1000).toFixed(1);
    this.downSince = undefined;
    this.warn(`${this.name}: queue back after ${seconds} s`);
  }

  /** An error that does not mean the queue is gone: silent during an outage, else each sentence at most twice a minute. */
  reportError(error: unknown): void {
    if (this.isDown) return;
    const sentence = describeError(error);
    const now = Date.now();
    if (now - (this.lastLoggedAt.get(sentence) ?? -Infinity) < REPEAT_INTERVAL_MS) return;
    if (this.lastLoggedAt.size > 100) this.lastLoggedAt.clear();
    this.lastLoggedAt.set(sentence, now);
    this.warn(`${this.name}: ${sentence}`);
  }

  private warn(message: string): void {
    this.runInOwnContext(() => this.logger.warn(message));
  }
}
