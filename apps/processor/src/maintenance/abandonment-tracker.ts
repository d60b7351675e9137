interface Observation {
  version: string;
  count: number;
  /** Milliseconds of the monotonic clock. */
  firstSeenAt: number;
}

export interface AbandonmentOptions {
  /** Number of consecutive scans that must observe it. */
  minObservations: number;
  /** Minimum time between the first and the last observation, in milliseconds. */
  minAgeMs: number;
}

/** Tracks objects that seem abandoned across scans, because a row may be about to claim them. */
export class AbandonmentTracker {
  private previous = new Map<string, Observation>();
  private current = new Map<string, Observation>();

  constructor(private readonly options: AbandonmentOptions) {}

  /**
   * @param mark changes while a process works on it
   * @returns whether it has been observed unchanged often and long enough; true again at later scans if its
   * deletion fails
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

  /** Forgets what the scan has not observed. */
  completeScan(): void {
    this.previous = this.current;
    this.current = new Map();
  }
}
