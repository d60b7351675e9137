import { BYTES_PER_SAMPLE, bytesToSamples } from './pcm.js';

/** Turns byte blocks of any length into 16-bit little-endian samples: what a block splits waits for the next one. */
export class PcmStreamDecoder {
  private remainder: Buffer = Buffer.alloc(0);

  /** `channels` samples belong together and come out together. */
  constructor(private readonly channels = 1) {}

  push(bytes: Buffer): Int16Array {
    const joined = this.remainder.length === 0 ? bytes : Buffer.concat([this.remainder, bytes]);
    const together = BYTES_PER_SAMPLE * this.channels;
    const whole = Math.floor(joined.length / together) * together;
    this.remainder = joined.subarray(whole);
    return bytesToSamples(joined.subarray(0, whole));
  }
}
