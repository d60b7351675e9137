/** Each upload holds a chunk of audio in memory, 32 kB per second of `CHUNK_MAX_SECONDS`. */
const MAX_CONCURRENT_UPLOADS = 4;

/** Uploads during decoding, so that neither the store nor the decoder waits. The next call reports the first failure. */
export class BoundedUploader {
  private readonly inFlight = new Set<Promise<unknown>>();

  /** Waits for a free slot. @throws the error of an earlier upload */
  async add(put: () => Promise<unknown>): Promise<void> {
    if (this.inFlight.size >= MAX_CONCURRENT_UPLOADS) await Promise.race(this.inFlight);
    const upload = put();
    this.inFlight.add(upload);
    // A failed upload stays in the list, so that the next call rejects.
    upload.then(
      () => this.inFlight.delete(upload),
      () => undefined,
    );
  }

  /** @throws the error of an upload */
  async flush(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  async waitUntilSettled(): Promise<void> {
    await Promise.allSettled(this.inFlight);
  }
}
