/** Lets a number of callers work at a time; the others wait in the order in which they came. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when it is the caller's turn, which lasts until `leave`. Throws the reason of the abort. */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.waiting.push(begin);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Works while it is the caller's turn. Throws as `enter` and as the work. */
  async within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
