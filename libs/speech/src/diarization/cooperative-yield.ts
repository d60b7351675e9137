import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work between two yields. */
const MAX_BLOCKING_MS = 8;

/** Lets long computations share the event loop: `yieldIfDue` yields every few milliseconds. */
export class CooperativeYield {
  private lastYieldAt = performance.now();

  constructor(private readonly signal: AbortSignal) {}

  /** Cheap enough for inner loops. @throws the reason of the signal when it is aborted */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.lastYieldAt < MAX_BLOCKING_MS) return;
    await nextTurn();
    this.signal.throwIfAborted();
    this.lastYieldAt = performance.now();
  }
}
