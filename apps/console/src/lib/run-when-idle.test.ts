import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runWhenIdle } from './run-when-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a task for when the browser is idle', () => {
  it('runs once in a browser without requestIdleCallback, unless it is cancelled', () => {
    // As in Node.js.
    expect(globalThis).not.toHaveProperty('requestIdleCallback');
    const task = vi.fn();
    const cancelled = vi.fn();
    runWhenIdle(task);
    runWhenIdle(cancelled)();
    expect(task).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(task).toHaveBeenCalledOnce();
    expect(cancelled).not.toHaveBeenCalled();
  });

  it('is left to requestIdleCallback and cancelIdleCallback where they exist', () => {
    const request = vi.fn(() => 7);
    const cancel = vi.fn();
    vi.stubGlobal('requestIdleCallback', request);
    vi.stubGlobal('cancelIdleCallback', cancel);
    const task = vi.fn();
    const cancelTask = runWhenIdle(task);
    expect(request).toHaveBeenCalledExactlyOnceWith(task);
    cancelTask();
    expect(cancel).toHaveBeenCalledExactlyOnceWith(7);
    vi.runAllTimers();
    expect(task).not.toHaveBeenCalled();
  });
});
