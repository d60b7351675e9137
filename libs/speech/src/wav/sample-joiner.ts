/** Bytes of a sample. */
const WIDTH = 2;

/** Turns byte blocks of any length into 16-bit little-endian samples: what a block splits waits for the next one. */
export class SampleJoiner {
  private rest: Buffer = Buffer.alloc(0);

  /** `channels` samples belong together and come out together. */
  constructor(private readonly channels = 1) {}

  push(bytes: Buffer): Int16Array {
    const joined = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const count = Math.floor(joined.length / (WIDTH * this.channels)) * this.channels;
    this.rest = joined.subarray(count * WIDTH);
    const samples = new Int16Array(count);
    for (let i = 0; i < count; i += 1) samples[i] = joined.readInt16LE(i * WIDTH);
    return samples;
  }
}
