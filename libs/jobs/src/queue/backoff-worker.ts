import { describeError } from '@app/errors';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type IQueueBackend,
  type Job,
  type JobProgress,
  type Processor,
  WaitingError,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import {
  ReturnMessageToQueueError,
  type QueueHandlerOutcome,
  type QueueMessageOutcome,
} from './queue-message.js';
import type { QueueServerConnection } from './queue-server-connection.js';
import type { QueueName } from './queues.js';

export type BullJob = Job<unknown, QueueHandlerOutcome | void, string>;

export interface PollObserver {
  /** Called after every response, with or without a message. */
  onPolled(): void;
  onPollError(error: unknown): void;
}

/** Practically unlimited, within the range of a Postgres integer. */
const MAX_STALLED_COUNT = 1_000_000_000;

/**
 * Waits after a failed poll; the worker of BullMQ polls again at once after most errors, such as a full disk.
 * Errors of a host do not reach the queue: the message is done, and the rows decide whether another one is
 * sent.
 */
export class BackoffWorker extends Worker<
  unknown,
  QueueHandlerOutcome | void,
  string,
  IQueueBackend,
  JobProgress,
  QueueServerConnection
> {
  readonly server: QueueServerConnection;
  observer: PollObserver | undefined;
  private readonly handlers = new Map<Promise<unknown>, AbortController>();
  private readonly stop = new AbortController();
  private readonly forced = new AbortController();
  private readonly stopped = new Promise<void>((resolve) => {
    this.stop.signal.addEventListener('abort', () => resolve());
  });
  private resumed: Promise<void> | undefined;

  constructor(
    name: string,
    processor: Processor<unknown, QueueHandlerOutcome | void>,
    options: WorkerOptions<QueueServerConnection>,
  ) {
    const server = options.connection;
    const { timings } = server;
    super(
      name,
      processor,
      {
        ...options,
        autorun: false,
        lockDuration: timings.lockDurationMs,
        stalledInterval: timings.stalledCheckIntervalMs,
        // Rows count attempts, so a dead worker does not count as an attempt of the message.
        maxStalledCount: MAX_STALLED_COUNT,
        drainDelay: timings.idlePollMs / 1_000,
        runRetryDelay: timings.retryDelayMs,
      },
      server.createBackend,
    );
    this.server = server;
  }

  get runningHandlers(): number {
    return this.handlers.size;
  }

  /** Whether it takes no messages because a handler has returned one. */
  get isHeld(): boolean {
    return this.resumed !== undefined;
  }

  createSuccessor(): BackoffWorker {
    return new BackoffWorker(this.name, this.processFn, { ...this.opts, concurrency: this.concurrency });
  }

  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.handlers.keys());
  }

  abortHandlers(): void {
    for (const controller of this.handlers.values()) controller.abort(new Error('the consumer is closing'));
  }

  /** Ends soon after `forceClose`; BullMQ waits forever for a handler that does not end. */
  override async close(force?: boolean): Promise<void> {
    this.stop.abort();
    const { signal } = this.forced;
    const isForced = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    if (!signal.aborted) await Promise.race([super.close(force), isForced]);
  }

  /** Closes what a hanging `close` leaves open, as between two connection attempts. */
  async forceClose(): Promise<void> {
    this.forced.abort();
    await this.lockManager.close();
    await this.backend.close(true);
  }

  protected override async moveToActive(token: string, name?: string) {
    await this.waitWhileHeld();
    try {
      const job = await super.moveToActive(token, name);
      this.observer?.onPolled();
      return job;
    } catch (error) {
      this.observer?.onPollError(error);
      await pause(this.server.timings.retryDelayMs, undefined, { signal: this.stop.signal }).catch(() => {});
      throw error;
    }
  }

  protected override async callProcessJob(job: BullJob, token: string): Promise<void> {
    // Another handler may have returned a message while this one was being claimed.
    if (this.closing || this.isHeld) return this.returnToQueue(job, token);
    const waitMs = Math.max(0, Date.now() - job.timestamp);
    const startedAt = performance.now();
    const controller = new AbortController();
    const handler = this.runHandler(job, token, controller.signal);
    this.handlers.set(handler, controller);
    const outcome = await handler;
    this.handlers.delete(handler);
    this.report(waitMs, performance.now() - startedAt, outcome);
    if (outcome === 'returned') await this.returnToQueue(job, token);
  }

  private async runHandler(job: BullJob, token: string, signal: AbortSignal): Promise<QueueMessageOutcome> {
    try {
      return (await super.callProcessJob(job, token, signal)) ?? 'done';
    } catch (error) {
      if (signal.aborted) return 'returned';
      if (error instanceof ReturnMessageToQueueError) {
        this.hold(error.resumed);
        return 'returned';
      }
      const { logger } = this.server.options;
      logger.warn(`${this.name}: the handler of ${job.id} threw: ${describeError(error)}`, error);
      return 'failed';
    }
  }

  private hold(resumed: Promise<void>): void {
    this.resumed ??= resumed.then(() => (this.resumed = undefined));
  }

  private async waitWhileHeld(): Promise<void> {
    if (this.resumed !== undefined) await Promise.race([this.resumed, this.stopped]);
  }

  private report(waitMs: number, runMs: number, outcome: QueueMessageOutcome): void {
    const { logger, onMessageHandled } = this.server.options;
    try {
      onMessageHandled?.({ queue: this.name as QueueName, waitMs, runMs, outcome });
    } catch (error) {
      logger.warn(`${this.name}: the message observer threw: ${describeError(error)}`);
    }
  }

  private async returnToQueue(job: BullJob, token: string): Promise<never> {
    await job.moveToWait(token);
    throw new WaitingError();
  }
}
