/** Callers share a running call, and its result for `cacheMs`. A failure is shared but not cached. */
export class SingleFlightCache<T> {
  private pending: Promise<T> | undefined;
  private last: { value: T; at: number } | undefined;

  constructor(
    private readonly produce: () => Promise<T>,
    private readonly cacheMs: number,
  ) {}

  get(): Promise<T> {
    if (this.last !== undefined && performance.now() - this.last.at < this.cacheMs)
      return Promise.resolve(this.last.value);
    this.pending ??= this.refresh();
    return this.pending;
  }

  private async refresh(): Promise<T> {
    try {
      const value = await this.produce();
      this.last = { value, at: performance.now() };
      return value;
    } finally {
      this.pending = undefined;
    }
  }
}
