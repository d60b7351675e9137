/** The last values of a series, a fixed number of them. */
export class TrailingWindow {
  private readonly values: Float64Array;
  private pushedCount = 0;

  constructor(size: number) {
    this.values = new Float64Array(size);
  }

  push(value: number): void {
    this.values[this.pushedCount % this.values.length] = value;
    this.pushedCount += 1;
  }

  get full(): boolean {
    return this.pushedCount >= this.values.length;
  }

  /** Infinity when nothing was pushed. */
  minimum(): number {
    let least = Infinity;
    const filledValues = this.held();
    for (let at = 0; at < filledValues.length; at += 1) least = Math.min(least, filledValues[at] ?? Infinity);
    return least;
  }

  /** NaN when nothing was pushed. */
  mean(): number {
    let sum = 0;
    const held = this.held();
    for (let at = 0; at < held.length; at += 1) sum += held[at] ?? 0;
    return sum / held.length;
  }

  private held(): Float64Array {
    return this.full ? this.values : this.values.subarray(0, this.pushedCount);
  }
}
