interface PendingLoad<Key, Value> {
  key: Key;
  resolve: (answer: Value) => void;
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
  constructor(private readonly batchFn: (questions: readonly Key[]) => Promise<readonly Value[]>) {}

  /** @throws the error of `batchFn` */
  load(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.queue.push({ key, resolve, reject });
      if (this.inFlight === null) this.dispatch();
    });
  }

  private dispatch(): void {
    const together = this.queue;
    this.queue = [];
    this.inFlight = together;
    const timer = setTimeout(() => this.dispatchNext(together), MAX_BATCH_WAIT_MS);
    void this.runBatch(together, () => {
      clearTimeout(timer);
      this.dispatchNext(together);
    });
  }

  private async runBatch(together: readonly PendingLoad<Key, Value>[], answered: () => void): Promise<void> {
    try {
      const answers = await this.batchFn(together.map(({ key: question }) => question));
      answered();
      for (const [at, { resolve }] of together.entries()) resolve(answers[at] as Value);
    } catch (error) {
      answered();
      for (const { reject } of together) reject(error);
    }
  }

  /** Runs once per batch, when it has settled or timed out. */
  private dispatchNext(together: readonly PendingLoad<Key, Value>[]): void {
    if (this.inFlight !== together) return;
    this.inFlight = null;
    if (this.queue.length > 0) this.dispatch();
  }
}
