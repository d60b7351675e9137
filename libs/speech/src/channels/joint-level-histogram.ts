/** Levels are counted in steps of 1 dB; lower ones count as the lowest. */
const LOWEST_DB = -100;
const STEPS = 101;

export interface JointLevelHistogramCell {
  /** dB of full scale. */
  left: number;
  right: number;
  windows: number;
  /** Sum of the correlations of these windows, each 0 to 1. */
  correlation: number;
}

/** How often two channels have which levels at the same time. Its size does not depend on the length of the audio. */
export class JointLevelHistogram {
  private readonly counts = new Uint32Array(STEPS * STEPS);
  private readonly correlations = new Float64Array(STEPS * STEPS);
  private total = 0;

  get windows(): number {
    return this.total;
  }

  /** @param left dB of full scale @param right likewise @param correlation 0 to 1, without its sign */
  add(left: number, right: number, correlation: number): void {
    const cell = toStep(left) * STEPS + toStep(right);
    this.counts[cell] = (this.counts[cell] ?? 0) + 1;
    this.correlations[cell] = (this.correlations[cell] ?? 0) + correlation;
    this.total += 1;
  }

  *cells(): Generator<JointLevelHistogramCell> {
    for (const [cell, windows] of this.counts.entries()) {
      if (windows === 0) continue;
      const left = Math.floor(cell / STEPS) + LOWEST_DB;
      const right = (cell % STEPS) + LOWEST_DB;
      yield { left, right, windows, correlation: this.correlations[cell] ?? 0 };
    }
  }

  /** @param share 0 to 1 @returns the level in dB that this share of the windows does not exceed */
  percentile(channel: 'left' | 'right', share: number): number {
    const byLevel = new Float64Array(STEPS);
    for (const cell of this.cells()) {
      const step = toStep(cell[channel]);
      byLevel[step] = (byLevel[step] ?? 0) + cell.windows;
    }
    let seen = 0;
    for (const [step, windows] of byLevel.entries()) {
      seen += windows;
      if (seen >= share * this.total) return step + LOWEST_DB;
    }
    return LOWEST_DB;
  }
}

function toStep(level: number): number {
  return Math.min(STEPS - 1, Math.max(0, Math.round(level) - LOWEST_DB));
}
