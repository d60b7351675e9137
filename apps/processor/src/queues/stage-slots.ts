/** How many stages of one queue this process works on at a time, whether a queue message or another stage led to them. */
export class StageSlots {
  private readonly waiting: ((release: () => void) => void)[] = [];

  constructor(private free: number) {}

  /** @returns a function that frees the slot; null if all are taken */
  tryTake(): (() => void) | null {
    if (this.free === 0) return null;
    this.free -= 1;
    return this.createRelease();
  }

  /** The caller that has waited longest gets the next slot. @throws the reason of `stop` when it is aborted */
  async take(stop: AbortSignal): Promise<() => void> {
    stop.throwIfAborted();
    const release = this.tryTake();
    if (release) return release;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting.splice(this.waiting.indexOf(onFree), 1);
        reject(stop.reason as Error);
      };
      const onFree = (free: () => void) => {
        stop.removeEventListener('abort', onAbort);
        resolve(free);
      };
      this.waiting.push(onFree);
      stop.addEventListener('abort', onAbort, { once: true });
    });
  }

  private createRelease(): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.waiting.shift();
      if (next) next(this.createRelease());
      else this.free += 1;
    };
  }
}
