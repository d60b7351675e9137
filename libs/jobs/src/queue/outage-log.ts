import { AsyncLocalStorage } from 'node:async_hooks';
import { reasonOf } from './bounded.js';
import type { QueueLogger } from './queue-options.js';

const REPEAT_MS = 30_000;

/**
 * Says once that the queue was lost and once that it was found again, however many errors lie between. The queue is the
 * process's: no line belongs to the request that happened to notice.
 */
export class OutageLog {
  private readonly inOwnContext = AsyncLocalStorage.snapshot();
  private lostAt: number | undefined;
  private readonly said = new Map<string, number>();

  constructor(
    private readonly name: string,
    private readonly logger: QueueLogger,
  ) {}

  get isLost(): boolean {
    return this.lostAt !== undefined;
  }

  lost(error: unknown): void {
    if (this.lostAt !== undefined) return;
    this.lostAt = Date.now();
    this.warn(`${this.name}: queue lost: ${reasonOf(error)}`);
  }

  found(): void {
    if (this.lostAt === undefined) return;
    const seconds = ((Date.now() - this.lostAt) / 1000).toFixed(1);
    this.lostAt = undefined;
    this.warn(`${this.name}: queue back after ${seconds} s`);
  }

  /** An error that does not mean the queue is gone: silent during an outage, else each sentence at most twice a minute. */
  trouble(error: unknown): void {
    if (this.isLost) return;
    const sentence = reasonOf(error);
    const now = Date.now();
    if (now - (this.said.get(sentence) ?? -Infinity) < REPEAT_MS) return;
    if (this.said.size > 100) this.said.clear();
    this.said.set(sentence, now);
    this.warn(`${this.name}: ${sentence}`);
  }

  private warn(message: string): void {
    this.inOwnContext(() => this.logger.warn(message));
  }
}
