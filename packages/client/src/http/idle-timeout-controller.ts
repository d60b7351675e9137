import { ConnectionTimeoutError } from '../errors.js';

/** A signal that aborts with another one, or when nothing was heard for a time. `AbortSignal.any` would keep every one alive. */
export class IdleTimeoutController {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onAbort = () => this.controller.abort(this.outer?.reason);

  constructor(
    private readonly ms: number,
    private readonly origin: string,
    private readonly outer?: AbortSignal,
  ) {
    outer?.addEventListener('abort', this.onAbort, { once: true });
    if (outer?.aborted === true) this.onAbort();
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    clearTimeout(this.timer);
    const message = `No response from ${this.origin} for ${this.ms} ms.`;
    this.timer = setTimeout(() => this.controller.abort(new ConnectionTimeoutError(message)), this.ms);
  }

  suspend(): void {
    clearTimeout(this.timer);
  }

  clear(): void {
    this.suspend();
    this.outer?.removeEventListener('abort', this.onAbort);
  }
}
