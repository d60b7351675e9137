import { type ListenConnection, openNotificationListener, getPgPool } from '@app/database';
import { JOB_EVENT_CHANNEL } from '@app/jobs';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Observable, Subject } from 'rxjs';
import { DataSource } from 'typeorm';

const RECONNECT_MS = 500;

/**
 * Listens for committed job events (`NOTIFY` with `<job id>:<seq>`) and notifies the subscribers of that job, which then
 * read the event log. After a reconnect it notifies all subscribers, because notifications may have been missed.
 */
@Injectable()
export class JobEventWatcher implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(JobEventWatcher.name);
  private readonly subjects = new Map<string, Subject<void>>();
  private listener: ListenConnection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isDown = false;
  private stopped = false;

  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    await this.listen();
  }

  /** Emits whenever the job may have a new event. */
  watch(jobId: string): Observable<void> {
    return new Observable((subscriber) => {
      const subject = this.subjects.get(jobId) ?? new Subject<void>();
      this.subjects.set(jobId, subject);
      const subscription = subject.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        if (!subject.observed) this.subjects.delete(jobId);
      };
    });
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.listener?.close();
  }

  private async listen(): Promise<void> {
    try {
      const listener = await openNotificationListener(getPgPool(this.dataSource), JOB_EVENT_CHANNEL, {
        onNotification: (payload) => this.notify(payload.split(':')[0] ?? ''),
        onConnectionLost: (error) => this.scheduleReconnect(error),
      });
      if (this.stopped) return listener.close();
      this.listener = listener;
      this.isDown = false;
      for (const jobId of this.subjects.keys()) this.notify(jobId);
    } catch (error) {
      this.scheduleReconnect(error);
    }
  }

  private notify(jobId: string): void {
    this.subjects.get(jobId)?.next();
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
