import { setTimeout as pause } from 'node:timers/promises';
import {
  Worker,
  type BackendFactory,
  type IQueueBackend,
  type Job,
  type JobProgress,
  type WorkerOptions,
} from 'bullmq';

export type BullJob = Job<unknown, void, string>;

export interface FetchObserver {
  /** The store has answered a look for work, whether there was any or not. */
  onFetched(): void;
  onFetchError(error: unknown): void;
}

/**
 * BullMQ's worker asks again at once after most errors, a full disk or a server that is still starting among them:
 * a busy loop. This one tells how each look for work went, and pauses after one that failed.
 */
export class BackoffWorker<C> extends Worker<unknown, void, string, IQueueBackend, JobProgress, C> {
  private readonly closeController = new AbortController();

  constructor(
    name: string,
    processor: (job: BullJob, token?: string) => Promise<void>,
    options: WorkerOptions<C>,
    factory: BackendFactory<IQueueBackend, C>,
    private readonly observer: FetchObserver,
    private readonly retryDelayMs: number,
  ) {
    super(name, processor, options, factory);
  }

  protected override async moveToActive(token: string, name?: string) {
    try {
      const job = await super.moveToActive(token, name);
      this.observer.onFetched();
      return job;
    } catch (error) {
      this.observer.onFetchError(error);
      await pause(this.retryDelayMs, undefined, { signal: this.closeController.signal }).catch(() => {});
      throw error;
    }
  }

  /**
   * Ends what a `close` that does not come to its end has left open: BullMQ's waits for ever for handlers,
   * and for a Redis connection that is just between two attempts to connect.
   */
  async forceClose(): Promise<void> {
    await this.lockManager.close();
    await this.backend.close(true);
  }

  override close(force?: boolean): Promise<void> {
    this.closeController.abort();
    return super.close(force);
  }
}
