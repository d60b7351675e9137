import { describeError } from '@app/errors';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueueLogger } from './queue-options.js';

const REPEAT_INTERVAL_MS = 30_000;

/** Logs start and end of an outage once each, without the fields of the request that noticed it. */
export class QueueOutageLog {
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

  /** Logs nothing during an outage, else each message at most twice a minute. */
  reportError(error: unknown): void {
    if (this.isDown) return;
    const message = describeError(error);
    const now = Date.now();
    if (now - (this.lastLoggedAt.get(message) ?? -Infinity) < REPEAT_INTERVAL_MS) return;
    if (this.lastLoggedAt.size > 100) this.lastLoggedAt.clear();
    this.lastLoggedAt.set(message, now);
    this.warn(`${this.name}: ${message}`);
  }

  private warn(message: string): void {
    this.runInOwnContext(() => this.logger.warn(message));
  }
}
