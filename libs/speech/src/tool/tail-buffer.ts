/** Keeps the last bytes of a stream, never more than its capacity. */
export class TailBuffer {
  private tail: Buffer = Buffer.alloc(0);

  constructor(private readonly capacity: number) {}

  push(bytes: Buffer): void {
    const joined = bytes.length >= this.capacity ? bytes : Buffer.concat([this.tail, bytes]);
    // A copy, so that the large buffer behind a slice can go.
    this.tail = Buffer.from(joined.subarray(Math.max(0, joined.length - this.capacity)));
  }

  toString(): string {
    return this.tail.toString('utf8');
  }
}
