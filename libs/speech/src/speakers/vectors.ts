/**
 * Vectors of one length, in one piece of memory: a long file has a hundred thousand, and as many small pieces would take
 * several times the room, and be given back late. For the same reason a vector is looked at only while it is needed.
 */
export class Vectors {
  private readonly block: Float64Array;

  /** Zeros. */
  constructor(
    readonly count: number,
    private readonly length: number,
  ) {
    this.block = new Float64Array(count * length);
  }

  /** The vector itself, no copy. */
  at(index: number): Float64Array {
    return this.block.subarray(index * this.length, (index + 1) * this.length);
  }
}
