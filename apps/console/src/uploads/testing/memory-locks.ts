/** Web Locks of all tabs, as far as uploads use them. */
export class MemoryLocks {
  private readonly ends = new Map<string, Promise<void>>();

  async request(
    name: string,
    { signal }: { signal: AbortSignal },
    action: () => Promise<void>,
  ): Promise<void> {
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    const before = this.ends.get(name) ?? Promise.resolve();
    const turn = Promise.race([before, aborted]).then(action);
    this.ends.set(
      name,
      Promise.allSettled([before, turn]).then(() => undefined),
    );
    await turn;
  }
}
