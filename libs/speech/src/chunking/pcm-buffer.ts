/** The samples of a stream from some point on, addressed by their position in the whole stream. */
export class PcmBuffer {
  private samples: Int16Array = new Int16Array(1 << 16);
  /** Position in the stream of the first held sample. */
  private first = 0;
  private count = 0;

  /** Position after the last sample. */
  get end(): number {
    return this.first + this.count;
  }

  append(samples: Int16Array): void {
    this.makeRoom(samples.length);
    this.samples.set(samples, this.count);
    this.count += samples.length;
  }

  /** A copy of the samples from `start` up to `end`. Throws `RangeError` for samples that were dropped. */
  slice(start: number, end: number): Int16Array {
    if (start < this.first) throw new RangeError('These samples are no longer held.');
    return this.samples.slice(start - this.first, Math.min(end, this.end) - this.first);
  }

  /** Lets go of everything before `position`. */
  dropBefore(position: number): void {
    const drop = Math.min(position, this.end) - this.first;
    // Moving the rest is worth it only when much is gone.
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
