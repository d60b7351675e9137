/** Aborts its signal at the timeout or with the signal of the caller. */
export class TimeoutAbortController {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    ms: number,
    private readonly parent?: AbortSignal,
  ) {
    this.timer = this.abortAfter(ms);
    if (parent?.aborted) this.abortWithParent();
    else parent?.addEventListener('abort', this.abortWithParent, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** @param ms shorter than the whole timeout */
  async runWithin<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const timer = this.abortAfter(ms);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Call it when nothing is left to abort. */
  clear(): void {
    clearTimeout(this.timer);
    this.parent?.removeEventListener('abort', this.abortWithParent);
  }

  private abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(new DOMException('out of time', 'TimeoutError')), ms);
  }

  private readonly abortWithParent = () => this.controller.abort(this.parent?.reason);
}
