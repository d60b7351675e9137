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
import type { HandlerOutcome, QueueMessageOutcome } from './queue-message.js';
import type { QueueServer } from './queue-server.js';
import type { QueueName } from './queues.js';
import { describeError } from './with-timeout.js';

export type BullJob = Job<unknown, HandlerOutcome | void, string>;

export interface PollObserver {
  /** The server has responded to a poll, whether there was a message or not. */
  onPolled(): void;
  onPollError(error: unknown): void;
}

/** As good as endless, and still an integer of Postgres. */
const MAX_STALLED_COUNT = 1_000_000_000;

/**
 * The class of the workers that `BullModule` creates for `@Processor` hosts. BullMQ's own polls again at once after most
 * errors, a full disk or a server that is still starting among them: this one waits after a poll that failed.
 * Nothing that a host throws reaches the queue: the message is over either way, and rows say whether there must be another.
 */
export class BackoffWorker extends Worker<
  unknown,
  HandlerOutcome | void,
  string,
  IQueueBackend,
  JobProgress,
  QueueServer
> {
  readonly server: QueueServer;
  observer: PollObserver | undefined;
  private readonly handlers = new Map<Promise<unknown>, AbortController>();
  private readonly stop = new AbortController();
  private readonly forced = new AbortController();

  constructor(
    name: string,
    processor: Processor<unknown, HandlerOutcome | void>,
    options: WorkerOptions<QueueServer>,
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
        // A worker that dies says nothing about the message: rows count attempts, the queue does not.
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

  /** Another worker for the same host. */
  createSuccessor(): BackoffWorker {
    return new BackoffWorker(this.name, this.processFn, { ...this.opts, concurrency: this.concurrency });
  }

  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.handlers.keys());
  }

  abortHandlers(): void {
    for (const controller of this.handlers.values()) controller.abort(new Error('the consumer is closing'));
  }

  /** Ends soon where `forceClose` is called; BullMQ's waits for ever for a handler that does not end. */
  override async close(force?: boolean): Promise<void> {
    this.stop.abort();
    const { signal } = this.forced;
    const isForced = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    if (!signal.aborted) await Promise.race([super.close(force), isForced]);
  }

  /** Closes what a `close` that does not end has left open, as on a Redis connection between two attempts to connect. */
  async forceClose(): Promise<void> {
    this.forced.abort();
    await this.lockManager.close();
    await this.backend.close(true);
  }

  protected override async moveToActive(token: string, name?: string) {
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
    if (this.closing) return this.returnToQueue(job, token);
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
      const { logger } = this.server.options;
      logger.warn(`${this.name}: the handler of ${job.id} threw: ${describeError(error)}`, error);
      return 'failed';
    }
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
