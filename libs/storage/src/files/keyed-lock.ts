/** One caller at a time per name, first come first served, within this process only. */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<void>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(name) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(name, tail);
    try {
      return await result;
    } finally {
      if (this.tails.get(name) === tail) this.tails.delete(name);
    }
  }
}
