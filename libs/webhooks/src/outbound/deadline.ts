/** Aborts its signal when the time is over or when the caller's own signal aborts, whichever comes first. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(
    ms: number,
    private readonly parent?: AbortSignal,
  ) {
    this.timer = this.abortAfter(ms);
    if (parent?.aborted) this.follow();
    else parent?.addEventListener('abort', this.follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The work has less time than the whole. */
  async within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const timer = this.abortAfter(ms);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  /** To be called when nothing is left to abort. */
  end(): void {
    clearTimeout(this.timer);
    this.parent?.removeEventListener('abort', this.follow);
  }

  private abortAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.controller.abort(new DOMException('out of time', 'TimeoutError')), ms);
  }

  private readonly follow = () => this.controller.abort(this.parent?.reason);
}
