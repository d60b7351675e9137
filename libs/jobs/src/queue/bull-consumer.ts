import { setTimeout as pause } from 'node:timers/promises';
import type { BullBackend } from './bull-backend.js';
import { settlesWithin, withTimeout } from './with-timeout.js';
import { QueueMessageRunner } from './queue-message-runner.js';
import type { Consumer } from './job-queue.js';
import { OutageLog } from './outage-log.js';
import { BackoffWorker } from './backoff-worker.js';
import type { QueueLogger, QueueTimings } from './queue-options.js';
import type { QueueName } from './queues.js';

const HEARTBEAT_INTERVAL_MS = 500;
const FORCED_CLOSE_TIMEOUT_MS = 2_000;
/** As good as endless, and still an integer of Postgres. */
const MAX_STALLED_COUNT = 1_000_000_000;

/** One queue's deliveries in this process. Opens when the store answers, and keeps trying until then. */
export class BullConsumer<C> implements Consumer {
  private readonly outage: OutageLog;
  private readonly stop = new AbortController();
  private readonly heartbeatTimer: NodeJS.Timeout;
  /** The last one takes deliveries; those before it only see their own to the end. */
  private readonly workers: BackoffWorker<C>[] = [];
  private missedHeartbeats = 0;
  private isProbing = false;
  private opening: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private lastSeenAt = 0;

  constructor(
    private readonly queue: QueueName,
    private readonly concurrency: number,
    private readonly runner: QueueMessageRunner,
    private readonly backend: BullBackend<C>,
    private readonly timings: QueueTimings,
    private readonly logger: QueueLogger,
  ) {
    this.outage = new OutageLog(queue, logger);
    this.heartbeatTimer = setInterval(() => void this.checkHeartbeat(), HEARTBEAT_INTERVAL_MS).unref();
  }

  get isConsuming(): boolean {
    const open = this.workers.length > 0 && !this.stop.signal.aborted;
    return open && !this.outage.isDown && this.silenceMs() < this.maxSilenceMs();
  }

  /** Resolves after the first attempt, successful or not; later attempts go on behind it. */
  async open(): Promise<void> {
    if (await this.tryOpen()) return;
    this.opening = this.retryOpen();
  }

  close(graceMs: number): Promise<void> {
    this.closing ??= this.shutDown(graceMs);
    return this.closing;
  }

  private async retryOpen(): Promise<void> {
    const { signal } = this.stop;
    do await pause(this.timings.retryDelayMs, undefined, { signal }).catch(() => {});
    while (!signal.aborted && !(await this.tryOpen()));
  }

  private async tryOpen(): Promise<boolean> {
    let worker: BackoffWorker<C> | undefined;
    try {
      // BullMQ remembers a first connection that failed and never tries it again: ask first, discard on failure.
      await withTimeout(this.timings.callTimeoutMs, 'queue', () => this.backend.ping());
      const made = (worker = this.makeWorker());
      await withTimeout(this.timings.callTimeoutMs, 'queue', () => made.waitUntilReady());
    } catch (error) {
      this.markDown(error);
      void worker?.close(true).catch(() => {});
      return false;
    }
    if (this.stop.signal.aborted) {
      await settlesWithin(worker.close(true), FORCED_CLOSE_TIMEOUT_MS);
      return false;
    }
    this.workers.push(worker);
    this.markUp();
    worker.run().catch((error: unknown) => this.markDown(error));
    return true;
  }

  private makeWorker(): BackoffWorker<C> {
    const { backend, timings } = this;
    const worker = new BackoffWorker<C>(
      this.queue,
      (job, token) => this.runner.run(job, token),
      {
        connection: backend.consumer,
        prefix: backend.prefix,
        autorun: false,
        concurrency: this.concurrency,
        lockDuration: timings.lockDurationMs,
        stalledInterval: timings.stalledCheckIntervalMs,
        // A worker that dies says nothing about the delivery: rows count attempts, the queue does not.
        maxStalledCount: MAX_STALLED_COUNT,
        drainDelay: timings.idlePollMs / 1_000,
        runRetryDelay: timings.retryDelayMs,
      },
      backend.factory,
      { onFetched: () => this.markUp(), onFetchError: (error) => this.markDown(error) },
      timings.retryDelayMs,
    );
    worker.on('error', (error) => this.outage.reportError(error));
    worker.on('ioredis:close', () => this.markDown(new Error('connection closed')));
    return worker;
  }

  /**
   * A consumer whose places are all taken does not look for work: then only asking tells. One that has places and
   * still does not look, though the store answers, is stuck: another worker takes its part. Counted in beats and
   * not in seconds, so that a process that was too busy to notice does not blame its worker.
   */
  private async checkHeartbeat(): Promise<void> {
    if (this.isProbing || this.workers.length === 0) return;
    const busy = this.runner.running >= this.concurrency;
    const quiet = this.outage.isDown || this.silenceMs() > this.timings.idlePollMs;
    if (!quiet) return;
    this.missedHeartbeats++;
    const stuck = !busy && this.missedHeartbeats * HEARTBEAT_INTERVAL_MS > 2 * this.maxSilenceMs();
    if (!busy && !stuck) return;
    this.isProbing = true;
    try {
      await withTimeout(this.timings.callTimeoutMs, 'queue', () => this.backend.ping());
      if (busy) this.markUp();
      else await this.replaceWorker();
    } catch (error) {
      this.markDown(error);
    } finally {
      this.isProbing = false;
    }
  }

  private async replaceWorker(): Promise<void> {
    if (this.stop.signal.aborted) return;
    this.missedHeartbeats = 0;
    this.logger.warn(`${this.queue}: the consumer does not respond, opening another one`);
    const stuck = this.workers.at(-1);
    if (await this.tryOpen()) void stuck?.close();
  }

  private silenceMs(): number {
    return performance.now() - this.lastSeenAt;
  }

  private maxSilenceMs(): number {
    return 2 * this.timings.idlePollMs + this.timings.callTimeoutMs;
  }

  private markUp(): void {
    this.lastSeenAt = performance.now();
    this.missedHeartbeats = 0;
    this.outage.reportRecovered();
  }

  private markDown(error: unknown): void {
    if (!this.stop.signal.aborted) this.outage.reportDown(error);
  }

  private async shutDown(graceMs: number): Promise<void> {
    clearInterval(this.heartbeatTimer);
    this.stop.abort();
    this.runner.stopAccepting();
    await this.opening;
    const closed = Promise.all(this.workers.map((worker) => worker.close()));
    if (!(await settlesWithin(this.runner.waitUntilIdle(), graceMs))) {
      this.runner.abort();
      await settlesWithin(this.runner.waitUntilIdle(), this.timings.abortGraceMs);
    }
    if (
      await settlesWithin(closed, this.outage.isDown ? FORCED_CLOSE_TIMEOUT_MS / 10 : FORCED_CLOSE_TIMEOUT_MS)
    )
      return;
    const left = this.runner.running;
    this.logger.warn(`${this.queue}: closed by force, ${left} messages will be redelivered`);
    await settlesWithin(
      Promise.all(this.workers.map((worker) => worker.forceClose())),
      FORCED_CLOSE_TIMEOUT_MS,
    );
  }
}
