import { copyToBlobOfSlices } from '../http/copy-to-blob-of-slices.js';
import { StreamAudioPartReader } from './stream-audio-part-reader.js';

/** What can be sent: bytes, a Blob or File, or a stream. Paths and URLs are texts. */
export type AudioData =
  Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface AudioPart {
  /** From 1. */
  number: number;
  /** Of a stream, they have been read already. */
  read(): Promise<Blob>;
}

/** Audio that is sent in numbered parts of one size. */
export interface AudioPartReader {
  /** Bytes; `null` if only the end of the stream will tell. */
  readonly size: number | null;
  /** Differs if the content may have changed, where that is known. */
  readonly fingerprint?: string;
  /** All parts except those to skip, in order. */
  readParts(partSize: number, skip: ReadonlySet<number>): AsyncGenerator<AudioPart, void, undefined>;
  /** Also while a part is being read. */
  close(): Promise<void>;
}

/** Bytes that can be read anywhere and again. */
export interface RangeReader {
  size: number;
  fingerprint?: string;
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  close?(): Promise<void>;
}

export class RandomAccessAudioPartReader implements AudioPartReader {
  constructor(private readonly reader: RangeReader) {}

  get size(): number {
    return this.reader.size;
  }

  get fingerprint(): string {
    return `${this.reader.size}:${this.reader.fingerprint ?? ''}`;
  }

  async *readParts(partSize: number, skip: ReadonlySet<number>): AsyncGenerator<AudioPart, void, undefined> {
    for (let start = 0, number = 1; start < this.size || number === 1; start += partSize, number++) {
      const end = Math.min(this.size, start + partSize);
      if (!skip.has(number)) yield { number, read: () => this.readPart(start, end) };
    }
  }

  async close(): Promise<void> {
    await this.reader.close?.();
  }

  /** Here, so that nothing keeps the bytes beside their copy while the part is sent. */
  private async readPart(start: number, end: number): Promise<Blob> {
    return copyToBlobOfSlices(await this.reader.read(start, end));
  }
}

/** Opens data that is in memory, or a stream. @throws TypeError for anything else; the reason of the signal */
export async function openAudioPartReader(
  data: AudioData,
  partSize: number,
  fileSize?: number,
  signal?: AbortSignal,
): Promise<AudioPartReader> {
  if (data instanceof Blob) return new RandomAccessAudioPartReader(readBlob(data));
  if (data instanceof Uint8Array) return new RandomAccessAudioPartReader(readBytes(data));
  if (data instanceof ArrayBuffer) return new RandomAccessAudioPartReader(readBytes(new Uint8Array(data)));
  return StreamAudioPartReader.open(data, partSize, fileSize, signal);
}

function readBlob(blob: Blob): RangeReader {
  return {
    size: blob.size,
    ...('lastModified' in blob ? { fingerprint: String(blob.lastModified) } : {}),
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}

function readBytes(bytes: Uint8Array): RangeReader {
  return { size: bytes.byteLength, read: (start, end) => Promise.resolve(bytes.slice(start, end)) };
}
