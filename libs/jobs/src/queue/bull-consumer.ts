import { setTimeout as pause } from 'node:timers/promises';
import type { BullBackend } from './bull-backend.js';
import { settledWithin, within } from './bounded.js';
import { DeliveryRunner } from './delivery-runner.js';
import type { Consumer } from './job-queue.js';
import { OutageLog } from './outage-log.js';
import { PacedWorker } from './paced-worker.js';
import type { QueueLogger, QueueTimings } from './queue-options.js';
import type { QueueName } from './queues.js';

const BEAT_MS = 500;
const LAST_WORD_MS = 2_000;
/** As good as endless, and still an integer of Postgres. */
const STALLS_ALLOWED = 1_000_000_000;

/** One queue's deliveries in this process. Opens when the store answers, and keeps trying until then. */
export class BullConsumer<C> implements Consumer {
  private readonly outage: OutageLog;
  private readonly stop = new AbortController();
  private readonly beat: NodeJS.Timeout;
  /** The last one takes deliveries; those before it only see their own to the end. */
  private readonly workers: PacedWorker<C>[] = [];
  private quietBeats = 0;
  private asking = false;
  private opening: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private signOfLife = 0;

  constructor(
    private readonly queue: QueueName,
    private readonly concurrency: number,
    private readonly runner: DeliveryRunner,
    private readonly backend: BullBackend<C>,
    private readonly timings: QueueTimings,
    private readonly logger: QueueLogger,
  ) {
    this.outage = new OutageLog(queue, logger);
    this.beat = setInterval(() => void this.listen(), BEAT_MS).unref();
  }

  get consuming(): boolean {
    const open = this.workers.length > 0 && !this.stop.signal.aborted;
    return open && !this.outage.isLost && this.silence() < this.longestSilence();
  }

  /** Resolves after the first attempt, successful or not; later attempts go on behind it. */
  async open(): Promise<void> {
    if (await this.tryOpen()) return;
    this.opening = this.keepOpening();
  }

  close(graceMs: number): Promise<void> {
    this.closing ??= this.shut(graceMs);
    return this.closing;
  }

  private async keepOpening(): Promise<void> {
    const { signal } = this.stop;
    do await pause(this.timings.retry, undefined, { signal }).catch(() => {});
    while (!signal.aborted && !(await this.tryOpen()));
  }

  private async tryOpen(): Promise<boolean> {
    let worker: PacedWorker<C> | undefined;
    try {
      // BullMQ remembers a first connection that failed and never tries it again: ask first, discard on failure.
      await within(this.timings.call, 'queue', () => this.backend.ping());
      const made = (worker = this.makeWorker());
      await within(this.timings.call, 'queue', () => made.waitUntilReady());
    } catch (error) {
      this.lost(error);
      void worker?.close(true).catch(() => {});
      return false;
    }
    if (this.stop.signal.aborted) {
      await settledWithin(worker.close(true), LAST_WORD_MS);
      return false;
    }
    this.workers.push(worker);
    this.found();
    worker.run().catch((error: unknown) => this.lost(error));
    return true;
  }

  private makeWorker(): PacedWorker<C> {
    const { backend, timings } = this;
    const worker = new PacedWorker<C>(
      this.queue,
      (job, token) => this.runner.run(job, token),
      {
        connection: backend.consumer,
        prefix: backend.prefix,
        autorun: false,
        concurrency: this.concurrency,
        lockDuration: timings.lock,
        stalledInterval: timings.stalledCheck,
        // A worker that dies says nothing about the delivery: rows count attempts, the queue does not.
        maxStalledCount: STALLS_ALLOWED,
        drainDelay: timings.idle / 1_000,
        runRetryDelay: timings.retry,
      },
      backend.factory,
      { fetched: () => this.found(), fetchFailed: (error) => this.lost(error) },
      timings.retry,
    );
    worker.on('error', (error) => this.outage.trouble(error));
    worker.on('ioredis:close', () => this.lost(new Error('connection closed')));
    return worker;
  }

  /**
   * A consumer whose places are all taken does not look for work: then only asking tells. One that has places and
   * still does not look, though the store answers, is stuck: another worker takes its part. Counted in beats and
   * not in seconds, so that a process that was too busy to notice does not blame its worker.
   */
  private async listen(): Promise<void> {
    if (this.asking || this.workers.length === 0) return;
    const busy = this.runner.running >= this.concurrency;
    const quiet = this.outage.isLost || this.silence() > this.timings.idle;
    if (!quiet) return;
    this.quietBeats++;
    const stuck = !busy && this.quietBeats * BEAT_MS > 2 * this.longestSilence();
    if (!busy && !stuck) return;
    this.asking = true;
    try {
      await within(this.timings.call, 'queue', () => this.backend.ping());
      if (busy) this.found();
      else await this.replace();
    } catch (error) {
      this.lost(error);
    } finally {
      this.asking = false;
    }
  }

  private async replace(): Promise<void> {
    if (this.stop.signal.aborted) return;
    this.quietBeats = 0;
    this.logger.warn(`${this.queue}: the consumer does not respond, opening another one`);
    const stuck = this.workers.at(-1);
    if (await this.tryOpen()) void stuck?.close();
  }

  private silence(): number {
    return performance.now() - this.signOfLife;
  }

  private longestSilence(): number {
    return 2 * this.timings.idle + this.timings.call;
  }

  private found(): void {
    this.signOfLife = performance.now();
    this.quietBeats = 0;
    this.outage.found();
  }

  private lost(error: unknown): void {
    if (!this.stop.signal.aborted) this.outage.lost(error);
  }

  private async shut(graceMs: number): Promise<void> {
    clearInterval(this.beat);
    this.stop.abort();
    this.runner.refuse();
    await this.opening;
    const closed = Promise.all(this.workers.map((worker) => worker.close()));
    if (!(await settledWithin(this.runner.ended(), graceMs))) {
      this.runner.abort();
      await settledWithin(this.runner.ended(), this.timings.afterAbort);
    }
    if (await settledWithin(closed, this.outage.isLost ? LAST_WORD_MS / 10 : LAST_WORD_MS)) return;
    const left = this.runner.running;
    this.logger.warn(`${this.queue}: closed by force, ${left} messages will be redelivered`);
    await settledWithin(Promise.all(this.workers.map((worker) => worker.abandon())), LAST_WORD_MS);
  }
}
