import { onTestFinished, vi } from 'vitest';

/** Shifts `Date` until the test ends, so that it differs from the clock of the database. It stands still; timers run. */
export function shiftClockOfProcess(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
}
