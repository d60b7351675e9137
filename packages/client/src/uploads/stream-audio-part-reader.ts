import { ZephyrError } from '../errors.js';
import { copyToBlobOfSlices } from '../http/copy-to-blob-of-slices.js';
import { rejectOnAbort } from '../http/reject-on-abort.js';
import type { AudioPart, AudioPartReader } from './audio-part-reader.js';
import { type ByteStream, ByteStreamReader } from './byte-stream-reader.js';

/** A stream, which is read once. Its first part is read at the start, so that short streams have a known size. */
export class StreamAudioPartReader implements AudioPartReader {
  private wasRead = false;

  private constructor(
    readonly size: number | null,
    private readonly reader: ByteStreamReader,
    private buffered: Uint8Array[],
    private ended: boolean,
  ) {}

  /** @throws TypeError if the input is no stream of bytes; the reason of the signal */
  static async open(
    stream: ByteStream,
    partSize: number,
    fileSize?: number,
    signal?: AbortSignal,
  ): Promise<StreamAudioPartReader> {
    const source = new StreamAudioPartReader(null, new ByteStreamReader(stream), [], false);
    try {
      await rejectOnAbort(source.fill(partSize + 1), signal);
    } catch (error) {
      await source.close();
      throw error;
    }
    const { bufferedBytes, ended } = source;
    // A size that the stream has exceeded already would end the upload before the stream.
    const givenSize = fileSize !== undefined && fileSize >= bufferedBytes ? fileSize : null;
    return new StreamAudioPartReader(
      ended ? bufferedBytes : givenSize,
      source.reader,
      source.buffered,
      ended,
    );
  }

  async *readParts(partSize: number, skip: ReadonlySet<number>): AsyncGenerator<AudioPart, void, undefined> {
    if (this.wasRead)
      throw new ZephyrError('The stream was read already. Run it again with the whole stream.');
    this.wasRead = true;
    for (let number = 1; ; number++) {
      await this.fill(partSize);
      if (this.bufferedBytes === 0 && number > 1) return;
      const part = this.takePart(partSize);
      if (!skip.has(number)) yield { number, read: () => Promise.resolve(part) };
    }
  }

  async close(): Promise<void> {
    this.reader.close();
  }

  private get bufferedBytes(): number {
    return this.buffered.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  private async fill(bytes: number): Promise<void> {
    let missing = bytes - this.bufferedBytes;
    while (missing > 0 && !this.ended) {
      const chunk = await this.reader.read();
      if (chunk === undefined) this.ended = true;
      else this.buffered.push(chunk);
      missing -= chunk?.byteLength ?? 0;
    }
  }

  /** Here, so that nothing keeps the bytes beside their copy while the part is sent. */
  private takePart(partSize: number): Blob {
    return copyToBlobOfSlices(this.take(partSize));
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
