import { setTimeout as pause } from 'node:timers/promises';
import {
  Worker,
  type BackendFactory,
  type IQueueBackend,
  type Job,
  type JobProgress,
  type WorkerOptions,
} from 'bullmq';

export type DeliveryJob = Job<unknown, void, string>;

export interface FetchWatch {
  /** The store has answered a look for work, whether there was any or not. */
  fetched(): void;
  fetchFailed(error: unknown): void;
}

/**
 * BullMQ's worker asks again at once after most errors, a full disk or a server that is still starting among them:
 * a busy loop. This one tells how each look for work went, and pauses after one that failed.
 */
export class PacedWorker<C> extends Worker<unknown, void, string, IQueueBackend, JobProgress, C> {
  private readonly ended = new AbortController();

  constructor(
    name: string,
    processor: (job: DeliveryJob, token?: string) => Promise<void>,
    options: WorkerOptions<C>,
    factory: BackendFactory<IQueueBackend, C>,
    private readonly watch: FetchWatch,
    private readonly retryMs: number,
  ) {
    super(name, processor, options, factory);
  }

  protected override async moveToActive(token: string, name?: string) {
    try {
      const job = await super.moveToActive(token, name);
      this.watch.fetched();
      return job;
    } catch (error) {
      this.watch.fetchFailed(error);
      await pause(this.retryMs, undefined, { signal: this.ended.signal }).catch(() => {});
      throw error;
    }
  }

  /**
   * Ends what a `close` that does not come to its end has left open: BullMQ's waits for ever for handlers,
   * and for a Redis connection that is just between two attempts to connect.
   */
  async abandon(): Promise<void> {
    await this.lockManager.close();
    await this.backend.close(true);
  }

  override close(force?: boolean): Promise<void> {
    this.ended.abort();
    return super.close(force);
  }
}
