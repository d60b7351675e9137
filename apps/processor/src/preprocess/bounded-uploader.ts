/** Objects that are stored at a time; each is a chunk of sound in memory, 32 kB a second of `CHUNK_MAX_SECONDS`. */
const MAX_CONCURRENT_UPLOADS = 4;

/**
 * Stores objects while the next ones are still made, a few at a time: neither the disk nor the decoder waits for the
 * other. The first failure is told by the next call.
 */
export class BoundedUploader {
  private readonly inFlight = new Set<Promise<unknown>>();

  /** Begins with `put`, once few enough are under way. Throws what an earlier one threw. */
  async add(put: () => Promise<unknown>): Promise<void> {
    if (this.inFlight.size >= MAX_CONCURRENT_UPLOADS) await Promise.race(this.inFlight);
    const putting = put();
    this.inFlight.add(putting);
    // What failed stays, for the next call to find.
    putting.then(
      () => this.inFlight.delete(putting),
      () => undefined,
    );
  }

  /** Resolves when all are stored. Throws what one of them threw. */
  async flush(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  /** Resolves when none is under way any more, however they ended. */
  async waitUntilSettled(): Promise<void> {
    await Promise.allSettled(this.inFlight);
  }
}
