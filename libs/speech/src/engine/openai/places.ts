/** So many may work at once; the others wait in the order in which they came. */
export class Places {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** @throws the reason of the signal when it is aborted before there is a place */
  async within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.take(signal);
    try {
      return await work();
    } finally {
      this.give();
    }
  }

  private async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      this.waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** A place goes from hand to hand while somebody waits for it. */
  private give(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
