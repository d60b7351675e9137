interface Observation {
  version: string;
  count: number;
  /** Milliseconds of this process's own clock, which nobody sets. */
  firstSeenAt: number;
}

export interface AbandonmentOptions {
  /** Passes running in which it has to be seen. */
  minObservations: number;
  /** Milliseconds that must lie between the first of them and the last, however often is looked. */
  minAgeMs: number;
}

/** What seems to belong to nobody, from one pass over the store to the next: it may be about to be claimed. */
export class AbandonmentTracker {
  private previous = new Map<string, Observation>();
  private current = new Map<string, Observation>();

  constructor(private readonly options: AbandonmentOptions) {}

  /**
   * @param mark what changes while somebody works on it
   * @returns whether it was seen unchanged often and long enough; so again as long as it is seen, should its deletion fail
   */
  isAbandoned(id: string, mark = ''): boolean {
    const now = performance.now();
    const known = this.previous.get(id);
    const sight =
      known?.version === mark
        ? { ...known, count: known.count + 1 }
        : { version: mark, count: 1, firstSeenAt: now };
    const { minObservations: sights, minAgeMs: ageMs } = this.options;
    this.current.set(id, sight);
    return sight.count >= sights && now - sight.firstSeenAt >= ageMs;
  }

  /** What was not seen in the pass that ends is forgotten. */
  completeScan(): void {
    this.previous = this.current;
    this.current = new Map();
  }
}
