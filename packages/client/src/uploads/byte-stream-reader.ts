export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

interface ChunkIterator {
  next: () => Promise<{ done?: boolean | undefined; value?: unknown }>;
  return?: (() => unknown) | undefined;
}

/** Reads the chunks of a stream one after the other, and can be closed while it waits for one. */
export class ByteStreamReader {
  private readonly chunks: ChunkIterator;
  private ended = false;

  /** @throws TypeError if the input is no stream */
  constructor(private readonly stream: ByteStream) {
    this.chunks = iterateChunks(stream);
  }

  /** @returns undefined at the end. @throws TypeError for a chunk that is not bytes, and what the stream throws */
  async read(): Promise<Uint8Array | undefined> {
    if (this.ended) return undefined;
    const { done, value } = await this.chunks.next();
    if (done === true) this.ended = true;
    return done === true ? undefined : requireBytes(value);
  }

  /** Tells the stream that nobody reads it any more. Does not wait for its response, which a stalled stream never gives. */
  close(): void {
    if (this.ended) return;
    this.ended = true;
    void (async () => this.chunks.return?.())().catch(() => undefined);
    // The iterator of a stream of Node closes it after the next chunk only.
    if ('destroy' in this.stream && typeof this.stream.destroy === 'function') this.stream.destroy();
  }
}

/** Not every browser can iterate a `ReadableStream`, and its iterator cannot be ended while it waits for a chunk. */
function iterateChunks(stream: ByteStream): ChunkIterator {
  if (typeof stream === 'object' && stream !== null) {
    if ('getReader' in stream) {
      const reader = stream.getReader();
      return { next: () => reader.read(), return: () => reader.cancel().catch(() => undefined) };
    }
    if (Symbol.asyncIterator in stream) return stream[Symbol.asyncIterator]();
  }
  throw new TypeError('The input must be a path, a URL, bytes, a Blob, or a stream of bytes.');
}

function requireBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(`The stream must consist of Uint8Arrays, not of ${typeof chunk}s.`);
}
