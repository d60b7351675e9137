import { endianness } from 'node:os';

/** Sample rate of all decoded audio (mono, 16 bit). */
export const SAMPLE_RATE = 16_000;

export const BYTES_PER_SAMPLE = 2;

/** Files and decoders are little-endian, as are nearly all machines. */
const IS_LITTLE_ENDIAN = endianness() === 'LE';

/** Ignores an odd last byte. Copies a block, because an hour has 58 million samples. */
export function bytesToSamples(bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / BYTES_PER_SAMPLE));
  bytes.copy(viewAsBytes(samples));
  return toLittleEndian(samples);
}

/** 16-bit little-endian PCM. */
export function writeSamplesToBuffer(samples: Int16Array, target: Buffer, at: number): void {
  viewAsBytes(IS_LITTLE_ENDIAN ? samples : toLittleEndian(samples.slice())).copy(target, at);
}

/** A view, not a copy. */
function viewAsBytes({ buffer, byteOffset, byteLength }: Int16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function toLittleEndian(samples: Int16Array): Int16Array {
  if (!IS_LITTLE_ENDIAN) viewAsBytes(samples).swap16();
  return samples;
}

/** A sample split between blocks is completed by the next one. */
export class PcmStreamDecoder {
  private remainder: Buffer = Buffer.alloc(0);

  /** @param channels samples per frame, which are never separated */
  constructor(private readonly channels = 1) {}

  push(bytes: Buffer): Int16Array {
    const joined = this.remainder.length === 0 ? bytes : Buffer.concat([this.remainder, bytes]);
    const together = BYTES_PER_SAMPLE * this.channels;
    const whole = Math.floor(joined.length / together) * together;
    this.remainder = joined.subarray(whole);
    return bytesToSamples(joined.subarray(0, whole));
  }
}

/** The retained samples of a stream, addressed by their position in the whole stream. */
export class PcmBuffer {
  private samples: Int16Array = new Int16Array(1 << 16);
  /** Stream position of the first retained sample. */
  private first = 0;
  private count = 0;

  /** Stream position after the last sample. */
  get end(): number {
    return this.first + this.count;
  }

  append(samples: Int16Array): void {
    this.makeRoom(samples.length);
    this.samples.set(samples, this.count);
    this.count += samples.length;
  }

  /** Copies the samples from `start` to `end`. @throws RangeError when some were dropped */
  slice(start: number, end: number): Int16Array {
    if (start < this.first) throw new RangeError('The samples were dropped from the buffer.');
    return this.samples.slice(start - this.first, Math.min(end, this.end) - this.first);
  }

  /** Frees the samples before `position`. */
  dropBefore(position: number): void {
    const drop = Math.min(position, this.end) - this.first;
    // Moving the rest is only worthwhile once half is free.
    if (drop < this.samples.length / 2) return;
    this.samples.copyWithin(0, drop, this.count);
    this.first += drop;
    this.count -= drop;
  }

  private makeRoom(length: number): void {
    if (this.count + length <= this.samples.length) return;
    const larger = new Int16Array(Math.max(this.samples.length * 2, this.count + length));
    larger.set(this.samples.subarray(0, this.count));
    this.samples = larger;
  }
}
