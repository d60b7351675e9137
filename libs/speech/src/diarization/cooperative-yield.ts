import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work after which others have their turn. */
const MAX_BLOCKING_MS = 8;

/** Lets long work share its thread: between two calls of `breathe` everything that waits is served, every few ms. */
export class CooperativeYield {
  private lastYieldAt = performance.now();

  constructor(private readonly signal: AbortSignal) {}

  /** Cheap enough for an inner loop. Throws the reason of the signal when the work is no longer wanted. */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.lastYieldAt < MAX_BLOCKING_MS) return;
    await nextTurn();
    this.signal.throwIfAborted();
    this.lastYieldAt = performance.now();
  }
}
