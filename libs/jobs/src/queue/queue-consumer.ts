import { settlesWithin } from '@app/async';
import type { WorkerHost } from '@nestjs/bullmq';
import type { BackoffWorker } from './backoff-worker.js';
import { QueueOutageLog } from './queue-outage-log.js';
import type { QueueServerConnection } from './queue-server-connection.js';
import { withQueueTimeout } from './with-queue-timeout.js';

const HEARTBEAT_INTERVAL_MS = 500;
const FORCED_CLOSE_TIMEOUT_MS = 2_000;

/**
 * Starts the worker of a `@Processor` host when the server responds, replaces it when it is stuck, and closes
 * it in bounded time.
 */
export class QueueConsumer {
  /** Created by `BullModule`, possibly while the server was unavailable. */
  private readonly first: BackoffWorker;
  private readonly server: QueueServerConnection;
  private readonly outage: QueueOutageLog;
  /** Only the last one takes messages; the others finish their handlers. */
  private readonly workers: BackoffWorker[] = [];
  private readonly heartbeatTimer: NodeJS.Timeout;
  private missedHeartbeats = 0;
  private lastSeenAt = 0;
  private probing: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private isStarted = false;

  /** @param concurrency messages handled at once */
  constructor(host: WorkerHost, concurrency: number) {
    // The type of WorkerHost only allows workers on Redis.
    this.first = host.worker as unknown as BackoffWorker;
    this.first.concurrency = concurrency;
    this.server = this.first.server;
    this.outage = new QueueOutageLog(this.first.name, this.server.options.logger);
    this.observe(this.first);
    this.heartbeatTimer = setInterval(() => void this.checkHeartbeat(), HEARTBEAT_INTERVAL_MS).unref();
  }

  /** False before the first worker has started, while the server does not respond, and while a handler has returned a message. */
  get isConsuming(): boolean {
    const isOpen = this.workers.at(-1)?.isHeld === false && !this.closing;
    return isOpen && !this.outage.isDown && this.silenceMs() < this.maxSilenceMs();
  }

  /**
   * A worker whose handlers are all busy does not poll, so a probe checks the server. A worker with free
   * handlers that does not poll although the server responds is stuck and is replaced. Heartbeats are counted
   * instead of seconds, so that a blocked event loop does not make a worker look stuck.
   */
  async checkHeartbeat(): Promise<void> {
    const worker = this.workers.at(-1);
    const isQuiet = this.outage.isDown || this.silenceMs() > this.server.timings.idlePollMs;
    if (worker?.isHeld) this.missedHeartbeats = 0;
    if (worker?.isHeld || this.probing || (worker && !isQuiet)) return;
    this.missedHeartbeats++;
    const isBusy = worker !== undefined && worker.runningHandlers >= worker.concurrency;
    const isStuck = this.missedHeartbeats * HEARTBEAT_INTERVAL_MS > 2 * this.maxSilenceMs();
    if (worker && !isBusy && !isStuck) return;
    this.probing = this.probe(isBusy).finally(() => (this.probing = undefined));
    await this.probing;
  }

  /**
   * Waits `graceMs` for running handlers, then aborts their signals and waits a few seconds more. The message
   * of a handler that rejects after its abort returns to the queue at once; that of a handler that does not
   * end is redelivered as after a crash.
   */
  close(graceMs: number): Promise<void> {
    this.closing ??= this.shutDown(graceMs);
    return this.closing;
  }

  private async probe(isBusy: boolean): Promise<void> {
    try {
      await this.server.probe();
      if (isBusy) this.markUp();
      else if (!this.closing) await this.startWorker();
    } catch (error) {
      this.markDown(error);
    }
  }

  /** BullMQ never retries a failed first connection, so such a worker is not used. */
  private async startWorker(): Promise<void> {
    const { first, server } = this;
    const stuck = this.workers.at(-1);
    const message = `${first.name}: the consumer does not respond, opening another one`;
    if (stuck) server.options.logger.warn(message);
    this.missedHeartbeats = 0;
    const worker = this.isStarted ? this.observe(first.createSuccessor()) : first;
    this.isStarted = true;
    try {
      await withQueueTimeout(server.timings.callTimeoutMs, 'queue', () => worker.waitUntilReady());
      if (this.closing) throw new Error('the consumer is closing');
    } catch (error) {
      void worker.close(true);
      throw error;
    }
    this.workers.push(worker);
    this.markUp();
    worker.run().catch((error: unknown) => this.markDown(error));
    void stuck?.close();
  }

  private observe(worker: BackoffWorker): BackoffWorker {
    worker.observer = {
      onPolled: () => this.markUp(),
      onPollError: (error) => this.markDown(error),
    };
    worker.on('error', (error) => this.outage.reportError(error));
    worker.on('ioredis:close', () => this.markDown(new Error('connection closed')));
    return worker;
  }

  private silenceMs(): number {
    return performance.now() - this.lastSeenAt;
  }

  private maxSilenceMs(): number {
    return 2 * this.server.timings.idlePollMs + this.server.timings.callTimeoutMs;
  }

  private markUp(): void {
    this.lastSeenAt = performance.now();
    this.missedHeartbeats = 0;
    this.outage.reportRecovered();
  }

  private markDown(error: unknown): void {
    if (!this.closing) this.outage.reportDown(error);
  }

  private async shutDown(graceMs: number): Promise<void> {
    clearInterval(this.heartbeatTimer);
    const { timings, options } = this.server;
    const workers = this.isStarted ? this.workers : [this.first];
    const waitUntilIdle = () => Promise.all(workers.map((worker) => worker.waitUntilIdle()));
    const closed = Promise.all([this.probing, ...workers.map((worker) => worker.close())]);
    if (!(await settlesWithin(waitUntilIdle(), graceMs))) {
      for (const worker of workers) worker.abortHandlers();
      await settlesWithin(waitUntilIdle(), timings.abortGraceMs);
    }
    const timeoutMs = this.outage.isDown ? FORCED_CLOSE_TIMEOUT_MS / 10 : FORCED_CLOSE_TIMEOUT_MS;
    if (await settlesWithin(closed, timeoutMs)) return;
    const unfinished = workers.reduce((sum, worker) => sum + worker.runningHandlers, 0);
    options.logger.warn(`${this.first.name}: closed by force, ${unfinished} messages will be redelivered`);
    await settlesWithin(Promise.all(workers.map((worker) => worker.forceClose())), FORCED_CLOSE_TIMEOUT_MS);
  }
}
