export interface LevelWithFloor {
  /** dB. */
  level: number;
  /** dB. */
  floor: number;
}

const SMOOTHING_FRAMES = 3;

/**
 * The background level around each frame.
 *
 * The quietest moment of the `reach` frames before and that of the `reach` frames after are looked at, and the
 * louder of the two is the floor. So a step up or down of the noise is known at once, from the side on which
 * it is steady. Answers come `reach` frames late.
 */
export class NoiseFloorEstimator {
  private readonly smooth = new TrailingWindow(SMOOTHING_FRAMES);
  private readonly recent: TrailingWindow;
  /** Frames that wait for what comes after them, oldest first. */
  private readonly pending: { level: number; before: number | null }[] = [];

  constructor(private readonly reach: number) {
    this.recent = new TrailingWindow(reach + 1);
  }

  /** The frame `reach` before this one, once there is one. */
  push(level: number): LevelWithFloor[] {
    this.smooth.push(level);
    this.recent.push(this.smooth.mean());
    const quietest = this.recent.minimum();
    // Until the window is full, the past is too short to tell noise from sound.
    this.pending.push({ level, before: this.recent.full ? quietest : null });
    if (this.pending.length <= this.reach) return [];
    return this.emitOldest((before) => Math.max(before ?? -Infinity, quietest));
  }

  /** The frames still waiting at the end: only their past is known, or all there is of a short file. */
  flush(): LevelWithFloor[] {
    const quietest = this.recent.minimum();
    const rest: LevelWithFloor[] = [];
    while (this.pending.length > 0) rest.push(...this.emitOldest((before) => before ?? quietest));
    return rest;
  }

  private emitOldest(floorOf: (before: number | null) => number): LevelWithFloor[] {
    const oldest = this.pending.shift();
    return oldest ? [{ level: oldest.level, floor: floorOf(oldest.before) }] : [];
  }
}

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
