/** Keeps the last bytes of a stream, never more than its capacity. */
export class TailBuffer {
  private held: Buffer = Buffer.alloc(0);

  constructor(private readonly capacity: number) {}

  push(bytes: Buffer): void {
    const joined = bytes.length >= this.capacity ? bytes : Buffer.concat([this.held, bytes]);
    // A copy, so that the large buffer behind a slice can go.
    this.held = Buffer.from(joined.subarray(Math.max(0, joined.length - this.capacity)));
  }

  toString(): string {
    return this.held.toString('utf8');
  }
}
