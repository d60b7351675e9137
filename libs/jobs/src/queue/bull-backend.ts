import type { BackendFactory, IQueueBackend } from 'bullmq';
import type { JobQueue } from './job-queue.js';

/** What differs between the two stores that BullMQ can use; `C` is what the store's factory takes as a connection. */
export interface BullBackend<C> {
  readonly kind: JobQueue['kind'];
  readonly factory: BackendFactory<IQueueBackend, C>;
  readonly prefix: string;
  /** For adding and counting: fails at once when the store is away. */
  readonly producer: C;
  /** For consumers: outlives an outage. */
  readonly consumer: C;
  /** Rejects when the store does not answer or is not ready for use. Not bounded in time. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
