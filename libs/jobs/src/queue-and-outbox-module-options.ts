import type { PollingLoopLogger } from '@app/async';
import type { QueueServerOptions } from './queue/queue-options.js';

export const QUEUE_AND_OUTBOX_MODULE_OPTIONS_TOKEN = Symbol('QUEUE_AND_OUTBOX_MODULE_OPTIONS_TOKEN');

export interface QueueAndOutboxModuleOptions {
  queue: QueueServerOptions;
  logger: PollingLoopLogger;
  /** Polling interval of the outbox if nothing wakes the relay. */
  relayIntervalMs: number;
}
