import { SAMPLE_BYTES, samplesOf } from './pcm.js';

/** Turns byte blocks of any length into 16-bit little-endian samples: what a block splits waits for the next one. */
export class SampleJoiner {
  private rest: Buffer = Buffer.alloc(0);

  /** `channels` samples belong together and come out together. */
  constructor(private readonly channels = 1) {}

  push(bytes: Buffer): Int16Array {
    const joined = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const together = SAMPLE_BYTES * this.channels;
    const whole = Math.floor(joined.length / together) * together;
    this.rest = joined.subarray(whole);
    return samplesOf(joined.subarray(0, whole));
  }
}
