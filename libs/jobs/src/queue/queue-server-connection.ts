import { settlesWithin } from '@app/async';
import type { BackendFactory, IQueueBackend } from 'bullmq';
import { QueueOutageLog } from './queue-outage-log.js';
import { createPostgresQueueAdapter } from './postgres-adapter.js';
import { QueueUnavailableError } from './queue-message.js';
import { DEFAULT_QUEUE_TIMINGS, type QueueServerOptions, type QueueTimings } from './queue-options.js';
import { createRedisQueueAdapter } from './redis-adapter.js';
import { withQueueTimeout } from './with-queue-timeout.js';

/** Hides the difference between Postgres and Redis. */
export interface QueueServerAdapter {
  readonly createBackend: BackendFactory<IQueueBackend, unknown>;
  /** Rejects if the server does not respond or is not ready. Has no timeout. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Passed where BullMQ expects a connection, so every queue and worker of `BullModule` gets it. */
export class QueueServerConnection {
  readonly timings: QueueTimings;
  readonly outage: QueueOutageLog;
  private readonly adapter: QueueServerAdapter;
  private isClosed = false;

  /** Does not connect; an unavailable server fails at its first use. */
  constructor(readonly options: QueueServerOptions) {
    this.timings = { ...DEFAULT_QUEUE_TIMINGS, ...options.timings };
    this.outage = new QueueOutageLog(options.kind, options.logger);
    this.adapter =
      options.kind === 'redis'
        ? createRedisQueueAdapter(options, this.timings, this.outage)
        : createPostgresQueueAdapter(options, this.timings, this.outage);
  }

  get createBackend(): BackendFactory<IQueueBackend, QueueServerConnection> {
    return this.adapter.createBackend;
  }

  /** @throws QueueUnavailableError if the server does not respond in time or is not ready */
  async probe(): Promise<void> {
    await withQueueTimeout(this.timings.callTimeoutMs, 'queue', () => this.adapter.ping());
  }

  /** Runs a call with a timeout and logs outages. @throws QueueUnavailableError for every error */
  async call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    if (this.isClosed) throw new QueueUnavailableError('the queue is closed');
    try {
      const result = await withQueueTimeout(this.timings.callTimeoutMs, operation, work);
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
