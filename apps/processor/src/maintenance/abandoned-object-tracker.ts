interface Observation {
  version: string;
  count: number;
  /** Milliseconds of the monotonic clock. */
  firstSeenAt: number;
}

export interface AbandonedObjectTrackerOptions {
  /** Consecutive scans that must observe it. */
  minObservations: number;
  /** From the first to the last observation, in milliseconds. */
  minAgeMs: number;
}

/**
 * Detects objects and uploads that no process works on any more. It takes several scans, because a row may be about to
 * claim an object.
 */
export class AbandonedObjectTracker {
  private previous = new Map<string, Observation>();
  private current = new Map<string, Observation>();

  constructor(private readonly options: AbandonedObjectTrackerOptions) {}

  /**
   * Records an observation; at most one per id and scan.
   * @param version changes while a process works on the object
   * @returns whether the object is abandoned; stays true while its deletion fails
   */
  observe(id: string, version = ''): boolean {
    const now = performance.now();
    const known = this.previous.get(id);
    const observation =
      known?.version === version
        ? { ...known, count: known.count + 1 }
        : { version, count: 1, firstSeenAt: now };
    const { minObservations, minAgeMs } = this.options;
    this.current.set(id, observation);
    return observation.count >= minObservations && now - observation.firstSeenAt >= minAgeMs;
  }

  completeScan(): void {
    this.previous = this.current;
    this.current = new Map();
  }
}
