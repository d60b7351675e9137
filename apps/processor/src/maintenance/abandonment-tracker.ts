interface Observation {
  version: string;
  count: number;
  /** Milliseconds of the monotonic clock. */
  firstSeenAt: number;
}

export interface AbandonmentOptions {
  /** Consecutive scans that must observe it. */
  minObservations: number;
  /** From the first to the last observation, in milliseconds. */
  minAgeMs: number;
}

/** Observes several times, because a row may be about to claim an object. */
export class AbandonmentTracker {
  private previous = new Map<string, Observation>();
  private current = new Map<string, Observation>();

  constructor(private readonly options: AbandonmentOptions) {}

  /** Stays true while the deletion fails. @param version changes while a process works on it */
  isAbandoned(id: string, version = ''): boolean {
    const now = performance.now();
    const known = this.previous.get(id);
    const observation =
      known?.version === version
        ? { ...known, count: known.count + 1 }
        : { version, count: 1, firstSeenAt: now };
    const { minObservations: sights, minAgeMs: ageMs } = this.options;
    this.current.set(id, observation);
    return observation.count >= sights && now - observation.firstSeenAt >= ageMs;
  }

  completeScan(): void {
    this.previous = this.current;
    this.current = new Map();
  }
}
