/** Turns byte blocks of any length into 16-bit little-endian samples: a sample may be split between two blocks. */
export class SampleJoiner {
  private odd: number | undefined;

  push(bytes: Buffer): Int16Array {
    const joined = this.odd === undefined ? bytes : Buffer.concat([Buffer.of(this.odd), bytes]);
    const count = joined.length >> 1;
    this.odd = joined.length % 2 === 1 ? joined[joined.length - 1] : undefined;
    const samples = new Int16Array(count);
    for (let i = 0; i < count; i += 1) samples[i] = joined.readInt16LE(i * 2);
    return samples;
  }
}
