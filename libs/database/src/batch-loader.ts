interface PendingLoad<Key, Value> {
  key: Key;
  resolve: (answer: Value) => void;
  reject: (error: unknown) => void;
}

/** Milliseconds. Many times what a look-up takes: who takes longer is in trouble that others need not share. */
const MAX_BATCH_WAIT_MS = 50;

/**
 * Questions that come while others are under way are asked together as soon as those are answered: a busy process goes
 * to the database once for many of them, an idle one at once. Nobody waits long for the answer to others: over a
 * connection that fell silent it may never come. Every answer is of a time after its question.
 */
export class BatchLoader<Key, Value> {
  private queue: PendingLoad<Key, Value>[] = [];
  /** Whose answer those that wait are waiting for. */
  private inFlight: readonly PendingLoad<Key, Value>[] | null = null;

  /** @param batchFn answers as many as it is asked, in their order */
  constructor(private readonly batchFn: (questions: readonly Key[]) => Promise<readonly Value[]>) {}

  /** @throws what `askAll` throws, whoever else asked with it */
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

  /** Once for each: nobody waits for these any more. */
  private dispatchNext(together: readonly PendingLoad<Key, Value>[]): void {
    if (this.inFlight !== together) return;
    this.inFlight = null;
    if (this.queue.length > 0) this.dispatch();
  }
}
