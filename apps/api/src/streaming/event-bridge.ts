import { poolOf } from '@app/database';
import { EVENT_CHANNEL } from '@app/jobs';
import { Inject, Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Observable, Subject } from 'rxjs';
import { DataSource } from 'typeorm';

const RECONNECT_MS = 500;

/**
 * The one listener of the process for committed job events: Postgres announces `<job id>:<seq>`, subjects pass it on.
 * It only wakes; what happened is read from the log. After a lost connection every watcher is woken, as
 * announcements may have been missed meanwhile.
 */
@Injectable()
export class EventBridge implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(EventBridge.name);
  private readonly subjects = new Map<string, Subject<void>>();
  private client: PoolClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    await this.listen();
  }

  /** Emits whenever the job has a new event. */
  wakeUps(jobId: string): Observable<void> {
    return new Observable((watcher) => {
      const subject = this.subjects.get(jobId) ?? new Subject<void>();
      this.subjects.set(jobId, subject);
      const subscription = subject.subscribe(watcher);
      return () => {
        subscription.unsubscribe();
        if (!subject.observed) this.subjects.delete(jobId);
      };
    });
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.client?.release(true);
  }

  private async listen(): Promise<void> {
    try {
      const client = await poolOf(this.dataSource).connect();
      if (this.stopped) return client.release(true);
      client.on('notification', ({ payload }) => this.wake(payload?.split(':')[0] ?? ''));
      client.once('error', (error) => this.lost(client, error));
      client.once('end', () => this.lost(client));
      await client.query(`LISTEN ${EVENT_CHANNEL}`);
      this.client = client;
      for (const jobId of this.subjects.keys()) this.wake(jobId);
    } catch (error) {
      this.retry(error);
    }
  }

  private wake(jobId: string): void {
    this.subjects.get(jobId)?.next();
  }

  private lost(client: PoolClient, error?: Error): void {
    if (this.client !== client) return;
    this.client = undefined;
    client.release(error ?? true);
    this.retry(error);
  }

  private retry(error: unknown): void {
    if (this.stopped) return;
    this.logger.warn(
      `job event listener lost, connecting again: ${error instanceof Error ? error.message : 'ended'}`,
    );
    this.timer = setTimeout(() => void this.listen(), RECONNECT_MS);
  }
}
