import type { PollingLoopLogger } from '@app/async';
import type { QueueServerOptions } from './queue/queue-options.js';

export const JOBS_MODULE_OPTIONS_TOKEN = Symbol('JOBS_OPTIONS_TOKEN');

export interface JobsModuleOptions {
  queue: QueueServerOptions;
  logger: PollingLoopLogger;
  /** Polling interval of the outbox if nothing wakes the relay. */
  relayIntervalMs: number;
}
