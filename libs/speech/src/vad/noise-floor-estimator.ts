export interface LevelWithNoiseFloor {
  /** dB of full scale, like `floor`. */
  level: number;
  floor: number;
}

const SMOOTHING_FRAMES = 3;

/**
 * Estimates the noise floor around each frame: the quietest level of the `reach` frames before it, or of the `reach` frames
 * after it, whichever is louder. So a step of the noise is followed at once. Output is delayed by `reach` frames.
 */
export class NoiseFloorEstimator {
  private readonly smooth = new TrailingWindow(SMOOTHING_FRAMES);
  private readonly recent: TrailingWindow;
  /** Frames that wait for their successors, oldest first. */
  private readonly pending: { level: number; before: number | null }[] = [];

  constructor(private readonly reach: number) {
    this.recent = new TrailingWindow(reach + 1);
  }

  /** Returns the frame `reach` before this one, once there is one. */
  push(level: number): LevelWithNoiseFloor[] {
    this.smooth.push(level);
    this.recent.push(this.smooth.mean());
    const quietest = this.recent.minimum();
    // Until the window is full, the past is too short for an estimate.
    this.pending.push({ level, before: this.recent.full ? quietest : null });
    if (this.pending.length <= this.reach) return [];
    return this.emitOldest((before) => Math.max(before ?? -Infinity, quietest));
  }

  /** The remaining frames, estimated from the past, or for short files from all frames. */
  flush(): LevelWithNoiseFloor[] {
    const quietest = this.recent.minimum();
    const rest: LevelWithNoiseFloor[] = [];
    while (this.pending.length > 0) rest.push(...this.emitOldest((before) => before ?? quietest));
    return rest;
  }

  private emitOldest(floorOf: (before: number | null) => number): LevelWithNoiseFloor[] {
    const oldest = this.pending.shift();
    return oldest ? [{ level: oldest.level, floor: floorOf(oldest.before) }] : [];
  }
}

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

  /** Infinity if empty. */
  minimum(): number {
    let least = Infinity;
    const filled = this.filled();
    for (let at = 0; at < filled.length; at += 1) least = Math.min(least, filled[at] ?? Infinity);
    return least;
  }

  /** NaN if empty. */
  mean(): number {
    let sum = 0;
    const filled = this.filled();
    for (let at = 0; at < filled.length; at += 1) sum += filled[at] ?? 0;
    return sum / filled.length;
  }

  private filled(): Float64Array {
    return this.full ? this.values : this.values.subarray(0, this.pushedCount);
  }
}
