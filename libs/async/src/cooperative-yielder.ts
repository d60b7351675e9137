import { setImmediate as nextTurn } from 'node:timers/promises';

const MAX_BLOCKING_MS = 8;

/** Lets the event loop run during long computations. */
export class CooperativeYielder {
  private lastYieldAt = performance.now();

  constructor(private readonly signal: AbortSignal) {}

  /** Yields every few milliseconds. @throws the reason of the signal when it is aborted */
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.lastYieldAt < MAX_BLOCKING_MS) return;
    await nextTurn();
    this.signal.throwIfAborted();
    this.lastYieldAt = performance.now();
  }
}
