interface PendingLoad<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** Many times the duration of a lookup; a slower batch must not delay later ones. */
const MAX_BATCH_WAIT_MS = 50;

/**
 * Lookups that arrive while a batch is running are loaded together by the next one. A batch slower than the
 * maximum wait does not delay the next, because its connection may be dead. Nothing is cached.
 */
export class BatchLoader<Key, Value> {
  private queue: PendingLoad<Key, Value>[] = [];
  private inFlight: readonly PendingLoad<Key, Value>[] | null = null;

  /** @param batchFn returns one value per key, in the order of the keys */
  constructor(private readonly batchFn: (keys: readonly Key[]) => Promise<readonly Value[]>) {}

  /** @throws the error of `batchFn` */
  load(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.queue.push({ key, resolve, reject });
      if (this.inFlight === null) this.dispatch();
    });
  }

  private dispatch(): void {
    const batch = this.queue;
    this.queue = [];
    this.inFlight = batch;
    const timer = setTimeout(() => this.dispatchNext(batch), MAX_BATCH_WAIT_MS);
    void this.runBatch(batch, () => {
      clearTimeout(timer);
      this.dispatchNext(batch);
    });
  }

  private async runBatch(batch: readonly PendingLoad<Key, Value>[], onSettled: () => void): Promise<void> {
    try {
      const values = await this.batchFn(batch.map(({ key }) => key));
      onSettled();
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
    } catch (error) {
      onSettled();
      for (const { reject } of batch) reject(error);
    }
  }

  /** Runs once per batch, when it has settled or timed out. */
  private dispatchNext(batch: readonly PendingLoad<Key, Value>[]): void {
    if (this.inFlight !== batch) return;
    this.inFlight = null;
    if (this.queue.length > 0) this.dispatch();
  }
}
