/** Any list of numbers that is not written to. */
export type FloatVector = Float32Array | Float64Array;

/**
 * Vectors of one length, in one piece of memory: a long file has a hundred thousand, and as many small pieces would take
 * several times the room, and be given back late. For the same reason a vector is looked at only while it is needed,
 * and its numbers have 32 bits: what they are made of has 16.
 */
export class VectorTable {
  private readonly block: Float32Array;

  /** Zeros. */
  constructor(
    readonly count: number,
    private readonly length: number,
  ) {
    this.block = new Float32Array(count * length);
  }

  /** The vector itself, no copy. */
  at(index: number): Float32Array {
    return this.block.subarray(index * this.length, (index + 1) * this.length);
  }
}
