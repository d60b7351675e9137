interface Sight {
  mark: string;
  times: number;
  /** Milliseconds of this process's own clock, which nobody sets. */
  since: number;
}

export interface SuspectsOptions {
  /** Passes running in which it has to be seen. */
  sights: number;
  /** Milliseconds that must lie between the first of them and the last, however often is looked. */
  ageMs: number;
}

/** What seems to belong to nobody, from one pass over the store to the next: it may be about to be claimed. */
export class Suspects {
  private before = new Map<string, Sight>();
  private found = new Map<string, Sight>();

  constructor(private readonly options: SuspectsOptions) {}

  /**
   * @param mark what changes while somebody works on it
   * @returns whether it was seen unchanged often and long enough; so again as long as it is seen, should its deletion fail
   */
  isAbandoned(id: string, mark = ''): boolean {
    const now = performance.now();
    const known = this.before.get(id);
    const sight =
      known?.mark === mark ? { ...known, times: known.times + 1 } : { mark, times: 1, since: now };
    const { sights, ageMs } = this.options;
    this.found.set(id, sight);
    return sight.times >= sights && now - sight.since >= ageMs;
  }

  /** What was not seen in the pass that ends is forgotten. */
  endPass(): void {
    this.before = this.found;
    this.found = new Map();
  }
}
