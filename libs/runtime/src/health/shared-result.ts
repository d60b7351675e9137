/** One result for everybody who asks while it is made, or within `freshMs` after. A failure is shared by those who waited for it. */
export class SharedResult<T> {
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
