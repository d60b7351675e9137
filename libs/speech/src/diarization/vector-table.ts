/** Never written to. */
export type FloatVector = Float32Array | Float64Array;

/**
 * Vectors of equal length in one block: a long file has a hundred thousand, and separate arrays would take several times
 * the memory. 32 bits suffice, because the stored features have 16.
 */
export class VectorTable {
  private readonly block: Float32Array;

  /** All zero. */
  constructor(
    readonly count: number,
    private readonly length: number,
  ) {
    this.block = new Float32Array(count * length);
  }

  /** A view, not a copy. */
  at(index: number): Float32Array {
    return this.block.subarray(index * this.length, (index + 1) * this.length);
  }
}
