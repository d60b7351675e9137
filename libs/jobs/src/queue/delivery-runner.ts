import { WaitingError } from 'bullmq';
import { reasonOf } from './bounded.js';
import type { DeliveryJob } from './paced-worker.js';
import type { DeliveryOutcome, DeliveryReport, HandledOutcome, QueueLogger } from './queue-options.js';
import type { QueueName } from './queues.js';

type AnyHandler = (payload: unknown, signal: AbortSignal) => Promise<HandledOutcome | void>;

/**
 * The one wrapper around every handler. Nothing a handler throws reaches the queue: the delivery is over
 * either way, and rows say whether there must be another.
 */
export class DeliveryRunner {
  private readonly active = new Map<Promise<DeliveryOutcome>, AbortController>();
  private refusing = false;

  constructor(
    private readonly queue: QueueName,
    private readonly handler: AnyHandler,
    private readonly logger: QueueLogger,
    private readonly onDelivery: ((report: DeliveryReport) => void) | undefined,
  ) {}

  get running(): number {
    return this.active.size;
  }

  /** From now on deliveries go straight back to the queue. */
  refuse(): void {
    this.refusing = true;
  }

  abort(): void {
    for (const controller of this.active.values()) controller.abort(new Error('the consumer is closing'));
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.active.keys());
  }

  async run(job: DeliveryJob, token: string | undefined): Promise<void> {
    if (this.refusing) return this.giveBack(job, token);
    const waitMs = Math.max(0, Date.now() - job.timestamp);
    const startedAt = performance.now();
    const outcome = await this.handle(job);
    this.report({ queue: this.queue, waitMs, runMs: performance.now() - startedAt, outcome });
    if (outcome === 'returned') await this.giveBack(job, token);
  }

  private async handle(job: DeliveryJob): Promise<DeliveryOutcome> {
    const controller = new AbortController();
    const work = this.outcomeOf(job, controller.signal);
    this.active.set(work, controller);
    try {
      return await work;
    } finally {
      this.active.delete(work);
    }
  }

  private async outcomeOf(job: DeliveryJob, signal: AbortSignal): Promise<DeliveryOutcome> {
    try {
      return (await this.handler(job.data, signal)) ?? 'done';
    } catch (error) {
      if (signal.aborted) return 'returned';
      this.logger.warn(`${this.queue}: the handler of ${job.id} threw: ${reasonOf(error)}`, error);
      return 'failed';
    }
  }

  private report(report: DeliveryReport): void {
    try {
      this.onDelivery?.(report);
    } catch (error) {
      this.logger.warn(`${this.queue}: the delivery observer threw: ${reasonOf(error)}`);
    }
  }

  private async giveBack(job: DeliveryJob, token: string | undefined): Promise<never> {
    await job.moveToWait(token);
    throw new WaitingError();
  }
}
