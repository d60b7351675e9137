import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CachedDependencyCheck } from './cached-dependency-check.js';

const TIMINGS = { cacheMs: 1_000, maxWaitMs: 1_000, downAfterMs: 3_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Checks that the test answers one by one. */
function probe() {
  const checks: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const check = () => new Promise<void>((resolve, reject) => checks.push({ resolve, reject }));
  return { checks, probe: new CachedDependencyCheck(check, TIMINGS) };
}

describe('CachedDependencyCheck', () => {
  it('runs one check for all concurrent callers and caches the result for a second', async () => {
    const { checks, probe: dependency } = probe();
    const reads = Array.from({ length: 200 }, () => dependency.readState());
    await vi.advanceTimersByTimeAsync(10);
    checks[0]?.resolve();
    expect(new Set(await Promise.all(reads))).toEqual(new Set(['up']));
    await vi.advanceTimersByTimeAsync(900);
    expect(await dependency.readState()).toBe('up');
    expect(checks).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    const later = dependency.readState();
    await vi.advanceTimersByTimeAsync(1);
    checks[1]?.reject(new Error('away'));
    expect(await later).toBe('down');
  });

  it('keeps the previous state during a slow check and reports down after the timeout', async () => {
    const { checks, probe: dependency } = probe();
    const first = dependency.readState();
    await vi.advanceTimersByTimeAsync(1);
    checks[0]?.resolve();
    expect(await first).toBe('up');
    await vi.advanceTimersByTimeAsync(1_100);
    const states: string[] = [];
    for (let second = 0; second < 4; second += 1) {
      const state = dependency.readState();
      await vi.advanceTimersByTimeAsync(1_000);
      states.push(await state);
    }
    expect(states).toEqual(['up', 'up', 'down', 'down']);
    expect(checks).toHaveLength(2);
  });

  it('reports down until the first check succeeds', async () => {
    const { probe: dependency } = probe();
    const state = dependency.readState();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await state).toBe('down');
  });
});
