import type { WorkerHost } from '@nestjs/bullmq';
import type { BackoffWorker } from './backoff-worker.js';
import { OutageLog } from './outage-log.js';
import type { QueueServer } from './queue-server.js';
import { settlesWithin, withTimeout } from './with-timeout.js';

const HEARTBEAT_INTERVAL_MS = 500;
const FORCED_CLOSE_TIMEOUT_MS = 2_000;

/**
 * Supervises the worker of one `@Processor` host: starts it when the server responds, replaces it when it is stuck, and
 * closes it in bounded time.
 */
export class QueueConsumer {
  /** As `BullModule` created it, which may have been while the server was unavailable. */
  private readonly first: BackoffWorker;
  private readonly server: QueueServer;
  private readonly outage: OutageLog;
  /** The last one takes messages; those before it only finish their own. */
  private readonly workers: BackoffWorker[] = [];
  private readonly heartbeatTimer: NodeJS.Timeout;
  private missedHeartbeats = 0;
  private lastSeenAt = 0;
  private probing: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private isStarted = false;

  /** @param concurrency how many messages are handled at once */
  constructor(host: WorkerHost, concurrency: number) {
    // WorkerHost's type knows workers on Redis only.
    this.first = host.worker as unknown as BackoffWorker;
    this.first.concurrency = concurrency;
    this.server = this.first.server;
    this.outage = new OutageLog(this.first.name, this.server.options.logger);
    this.observe(this.first);
    this.heartbeatTimer = setInterval(() => void this.checkHeartbeat(), HEARTBEAT_INTERVAL_MS).unref();
  }

  /** False before its worker has started, and while the server does not respond. */
  get isConsuming(): boolean {
    const isOpen = this.workers.length > 0 && !this.closing;
    return isOpen && !this.outage.isDown && this.silenceMs() < this.maxSilenceMs();
  }

  /**
   * Starts a worker where there is none. One whose handlers are all busy does not poll: then only a probe tells whether
   * the server responds. One that has room and does not poll, though the server responds, is stuck: another one takes its
   * place. Counted in heartbeats and not in seconds, so that a process that was too busy to notice does not blame its worker.
   */
  async checkHeartbeat(): Promise<void> {
    const worker = this.workers.at(-1);
    const isQuiet = this.outage.isDown || this.silenceMs() > this.server.timings.idlePollMs;
    if (this.probing || (worker && !isQuiet)) return;
    this.missedHeartbeats++;
    const isBusy = worker !== undefined && worker.runningHandlers >= worker.concurrency;
    const isStuck = this.missedHeartbeats * HEARTBEAT_INTERVAL_MS > 2 * this.maxSilenceMs();
    if (worker && !isBusy && !isStuck) return;
    this.probing = this.probe(isBusy).finally(() => (this.probing = undefined));
    await this.probing;
  }

  /**
   * Takes no further message, waits `graceMs` for the running handlers, then aborts their signals and waits a few seconds
   * more. The message of a handler that rejects after its signal was aborted goes back to the queue at once; that of one
   * which does not end comes again as if its process had died.
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

  /** BullMQ remembers a first connection that failed and never tries it again: a worker with such a one is not used. */
  private async startWorker(): Promise<void> {
    const { first, server } = this;
    const stuck = this.workers.at(-1);
    const message = `${first.name}: the consumer does not respond, opening another one`;
    if (stuck) server.options.logger.warn(message);
    this.missedHeartbeats = 0;
    const worker = this.isStarted ? this.observe(first.createSuccessor()) : first;
    this.isStarted = true;
    try {
      await withTimeout(server.timings.callTimeoutMs, 'queue', () => worker.waitUntilReady());
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
    const areIdle = () => Promise.all(workers.map((worker) => worker.waitUntilIdle()));
    const areClosed = Promise.all([this.probing, ...workers.map((worker) => worker.close())]);
    if (!(await settlesWithin(areIdle(), graceMs))) {
      for (const worker of workers) worker.abortHandlers();
      await settlesWithin(areIdle(), timings.abortGraceMs);
    }
    const timeoutMs = this.outage.isDown ? FORCED_CLOSE_TIMEOUT_MS / 10 : FORCED_CLOSE_TIMEOUT_MS;
    if (await settlesWithin(areClosed, timeoutMs)) return;
    const left = workers.reduce((sum, worker) => sum + worker.runningHandlers, 0);
    options.logger.warn(`${this.first.name}: closed by force, ${left} messages will be redelivered`);
    await settlesWithin(Promise.all(workers.map((worker) => worker.forceClose())), FORCED_CLOSE_TIMEOUT_MS);
  }
}
