import { ZephyrError } from '../errors.js';
import type { AudioPart, AudioSource } from './audio-source.js';

type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A stream, which is read once. Its first part is read at the start, so that short streams have a known size. */
export class StreamAudioSource implements AudioSource {
  private wasRead = false;

  private constructor(
    readonly size: number | null,
    private readonly chunks: AsyncIterator<Uint8Array>,
    private buffered: Uint8Array[],
    private ended: boolean,
  ) {}

  /** @throws TypeError if the input is no stream of bytes */
  static async open(stream: ByteStream, partSize: number, fileSize?: number): Promise<StreamAudioSource> {
    const source = new StreamAudioSource(null, iterateChunks(stream), [], false);
    await source.fill(partSize + 1);
    const size = source.ended ? source.bufferedBytes : (fileSize ?? null);
    return new StreamAudioSource(size, source.chunks, source.buffered, source.ended);
  }

  async *readParts(partSize: number, skip: ReadonlySet<number>): AsyncGenerator<AudioPart, void, undefined> {
    if (this.wasRead)
      throw new ZephyrError('The stream was read already. Run it again with the whole stream.');
    this.wasRead = true;
    for (let number = 1; ; number++) {
      await this.fill(partSize);
      if (this.bufferedBytes === 0 && number > 1) return;
      const bytes = this.take(partSize);
      if (!skip.has(number)) yield { number, bytes };
    }
  }

  async close(): Promise<void> {
    if (!this.ended) await this.chunks.return?.();
  }

  private get bufferedBytes(): number {
    return this.buffered.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  private async fill(bytes: number): Promise<void> {
    let missing = bytes - this.bufferedBytes;
    while (missing > 0 && !this.ended) {
      const { done, value } = await this.chunks.next();
      if (done === true) this.ended = true;
      else this.buffered.push(requireBytes(value));
      missing -= value?.byteLength ?? 0;
    }
  }

  private take(bytes: number): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(Math.min(bytes, this.bufferedBytes));
    let length = 0;
    const rest: Uint8Array[] = [];
    for (const chunk of this.buffered) {
      const used = chunk.subarray(0, taken.byteLength - length);
      taken.set(used, length);
      length += used.byteLength;
      if (used.byteLength < chunk.byteLength) rest.push(chunk.subarray(used.byteLength));
    }
    this.buffered = rest;
    return taken;
  }
}

/** Not every browser can iterate a `ReadableStream`. */
async function* iterateChunks(stream: ByteStream): AsyncGenerator<Uint8Array, void, undefined> {
  if (isAsyncIterable(stream)) return yield* stream;
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function isAsyncIterable(stream: unknown): stream is AsyncIterable<Uint8Array> {
  if (typeof stream === 'object' && stream !== null) {
    if (Symbol.asyncIterator in stream) return true;
    if ('getReader' in stream) return false;
  }
  throw new TypeError('The input must be a path, a URL, bytes, a Blob, or a stream of bytes.');
}

function requireBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(`The stream must consist of Uint8Arrays, not of ${typeof chunk}s.`);
}
