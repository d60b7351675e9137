import type { BackendFactory, IQueueBackend } from 'bullmq';
import { OutageLog } from './outage-log.js';
import { buildPostgresAdapter } from './postgres-adapter.js';
import { QueueUnavailableError } from './queue-message.js';
import { DEFAULT_TIMINGS, type QueueServerOptions, type QueueTimings } from './queue-options.js';
import { buildRedisAdapter } from './redis-adapter.js';
import { settlesWithin, withTimeout } from './with-timeout.js';

/** What differs between the two servers that BullMQ can use. */
export interface QueueServerAdapter {
  readonly createBackend: BackendFactory<IQueueBackend, unknown>;
  /** Rejects when the server does not respond or is not ready for use. Not bounded in time. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The server that holds the queues. It is passed where BullMQ expects a connection, and so reaches every queue and
 * worker that `BullModule` creates.
 */
export class QueueServer {
  readonly timings: QueueTimings;
  readonly outage: OutageLog;
  private readonly adapter: QueueServerAdapter;
  private isClosed = false;

  /** Returns at once: a server that is unavailable shows at its first use. */
  constructor(readonly options: QueueServerOptions) {
    this.timings = { ...DEFAULT_TIMINGS, ...options.timings };
    this.outage = new OutageLog(options.kind, options.logger);
    this.adapter =
      options.kind === 'redis'
        ? buildRedisAdapter(options, this.timings, this.outage)
        : buildPostgresAdapter(options, this.timings, this.outage);
  }

  get createBackend(): BackendFactory<IQueueBackend, QueueServer> {
    return this.adapter.createBackend;
  }

  /** @throws QueueUnavailableError when the server does not respond in time or is not ready for use */
  async probe(): Promise<void> {
    await withTimeout(this.timings.callTimeoutMs, 'queue', () => this.adapter.ping());
  }

  /**
   * Runs a call that has to end in time, and logs when calls begin to fail and when they succeed again.
   * @throws QueueUnavailableError whatever went wrong
   */
  async call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    if (this.isClosed) throw new QueueUnavailableError('the queue is closed');
    try {
      const result = await withTimeout(this.timings.callTimeoutMs, operation, work);
      this.outage.reportRecovered();
      return result;
    } catch (error) {
      this.outage.reportDown(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await settlesWithin(this.adapter.close(), this.timings.callTimeoutMs);
  }
}
