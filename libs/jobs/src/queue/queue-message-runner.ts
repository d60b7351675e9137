import { WaitingError } from 'bullmq';
import { describeError } from './with-timeout.js';
import type { BullJob } from './backoff-worker.js';
import type {
  QueueMessageOutcome,
  QueueMessageReport,
  HandlerOutcome,
  QueueLogger,
} from './queue-options.js';
import type { QueueName } from './queues.js';

type AnyHandler = (payload: unknown, signal: AbortSignal) => Promise<HandlerOutcome | void>;

/**
 * The one wrapper around every handler. Nothing a handler throws reaches the queue: the delivery is over
 * either way, and rows say whether there must be another.
 */
export class QueueMessageRunner {
  private readonly active = new Map<Promise<QueueMessageOutcome>, AbortController>();
  private isStopped = false;

  constructor(
    private readonly queue: QueueName,
    private readonly handler: AnyHandler,
    private readonly logger: QueueLogger,
    private readonly onMessageHandled: ((report: QueueMessageReport) => void) | undefined,
  ) {}

  get running(): number {
    return this.active.size;
  }

  /** From now on deliveries go straight back to the queue. */
  stopAccepting(): void {
    this.isStopped = true;
  }

  abort(): void {
    for (const controller of this.active.values()) controller.abort(new Error('the consumer is closing'));
  }

  async waitUntilIdle(): Promise<void> {
    await Promise.allSettled(this.active.keys());
  }

  async run(job: BullJob, token: string | undefined): Promise<void> {
    if (this.isStopped) return this.returnToQueue(job, token);
    const waitMs = Math.max(0, Date.now() - job.timestamp);
    const startedAt = performance.now();
    const outcome = await this.trackHandler(job);
    this.report({ queue: this.queue, waitMs, runMs: performance.now() - startedAt, outcome });
    if (outcome === 'returned') await this.returnToQueue(job, token);
  }

  private async trackHandler(job: BullJob): Promise<QueueMessageOutcome> {
    const controller = new AbortController();
    const work = this.runHandler(job, controller.signal);
    this.active.set(work, controller);
    try {
      return await work;
    } finally {
      this.active.delete(work);
    }
  }

  private async runHandler(job: BullJob, signal: AbortSignal): Promise<QueueMessageOutcome> {
    try {
      return (await this.handler(job.data, signal)) ?? 'done';
    } catch (error) {
      if (signal.aborted) return 'returned';
      this.logger.warn(`${this.queue}: the handler of ${job.id} threw: ${describeError(error)}`, error);
      return 'failed';
    }
  }

  private report(report: QueueMessageReport): void {
    try {
      this.onMessageHandled?.(report);
    } catch (error) {
      this.logger.warn(`${this.queue}: the delivery observer threw: ${describeError(error)}`);
    }
  }

  private async returnToQueue(job: BullJob, token: string | undefined): Promise<never> {
    await job.moveToWait(token);
    throw new WaitingError();
  }
}
