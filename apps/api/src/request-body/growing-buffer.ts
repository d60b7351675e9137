/**
 * Joins chunks as they arrive. Kept chunks need far more memory than their bytes: a client may send each byte as a
 * chunk of its own.
 */
export class GrowingBuffer {
  private bytes: Buffer;
  private used = 0;

  /** @param maxBytes never exceeded by `append` */
  constructor(
    initialBytes: number,
    private readonly maxBytes: number,
  ) {
    this.bytes = Buffer.allocUnsafe(initialBytes);
  }

  get length(): number {
    return this.used;
  }

  append(chunk: Buffer): void {
    const length = this.used + chunk.byteLength;
    if (length > this.bytes.byteLength) this.grow(length);
    chunk.copy(this.bytes, this.used);
    this.used = length;
  }

  /** A view, without a copy. */
  toBuffer(): Buffer {
    return this.bytes.subarray(0, this.used);
  }

  private grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, Math.min(this.maxBytes, 2 * this.bytes.byteLength)));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }
}
