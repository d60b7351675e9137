import { PollingLoop } from '@app/async';
import { type ListenConnection, openListenConnection, getPgPool } from '@app/database';
import { JOB_EVENT_CHANNEL, readLastEventNumbers } from '@app/jobs';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import { DataSource } from 'typeorm';

const RECONNECT_MS = 500;
/** A process that dies between a commit and its notification delays the event by this time at most. */
const POLL_INTERVAL_MS = 5_000;
const MAX_JOBS_PER_QUERY = 2_000;

/**
 * Listens for job events (`NOTIFY` with the id of the job, after the commit) and notifies the subscribers of that job,
 * which then read the event log. After a reconnect it notifies all subscribers, because notifications may have been
 * missed. It also polls the numbers of the last events of all watched jobs.
 */
@Injectable()
export class JobEventWatcher implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(JobEventWatcher.name);
  private readonly jobs = new Map<string, Subject<number>>();
  private readonly polling: PollingLoop;
  private listener: ListenConnection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isDown = false;
  private stopped = false;

  constructor(private readonly dataSource: DataSource) {
    this.polling = new PollingLoop({
      name: 'poll for job events',
      intervalMs: POLL_INTERVAL_MS,
      tick: () => this.poll(),
      logger: this.logger,
    });
  }

  async onModuleInit(): Promise<void> {
    await this.listen();
    this.polling.start();
  }

  /** Emits whenever the job may have a new event: the number of the last one, or `Infinity` where that is not known. */
  watch(jobId: string): Observable<number> {
    return new Observable((subscriber) => {
      const job = this.jobs.get(jobId) ?? new Subject<number>();
      this.jobs.set(jobId, job);
      const subscription = job.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        if (!job.observed) this.jobs.delete(jobId);
      };
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.listener?.close();
    await this.polling.stop();
  }

  private async poll(): Promise<void> {
    const watched = [...this.jobs.keys()];
    for (let from = 0; from < watched.length; from += MAX_JOBS_PER_QUERY) {
      const ids = watched.slice(from, from + MAX_JOBS_PER_QUERY);
      const lastNumbers = await readLastEventNumbers(this.dataSource, ids);
      // A job that was deleted has no number.
      for (const jobId of ids) this.notify(jobId, lastNumbers.get(jobId));
    }
  }

  private async listen(): Promise<void> {
    try {
      const listener = await openListenConnection(getPgPool(this.dataSource), JOB_EVENT_CHANNEL, {
        onNotification: (payload) => this.notify(payload.split(':')[0] ?? ''),
        onConnectionLost: (error) => this.scheduleReconnect(error),
      });
      if (this.stopped) return listener.close();
      this.listener = listener;
      this.isDown = false;
      for (const jobId of this.jobs.keys()) this.notify(jobId);
    } catch (error) {
      this.scheduleReconnect(error);
    }
  }

  private notify(jobId: string, lastSeq = Infinity): void {
    this.jobs.get(jobId)?.next(lastSeq);
  }

  private scheduleReconnect(error: unknown): void {
    if (this.stopped) return;
    if (!this.isDown)
      this.logger.warn(
        `job event listener lost, connecting again: ${error instanceof Error ? error.message : 'ended'}`,
      );
    this.isDown = true;
    this.timer = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
