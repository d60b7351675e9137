import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, vi } from 'vitest';
import { PollingLoop } from './polling-loop.js';

const logger = { warn: vi.fn() };

function until(condition: () => boolean): Promise<void> {
  return vi.waitFor(
    () => {
      if (!condition()) throw new Error('not yet');
    },
    { timeout: 20_000 },
  );
}

/** A tick that ends when it is released. @param more its result */
function createPendingTick(more = false) {
  let release = () => {};
  const end = new Promise<boolean>((resolve) => (release = () => resolve(more)));
  return { tick: vi.fn(() => end), release: () => release() };
}

describe('PollingLoop', () => {
  it('ticks at once, and again while a tick reports more work', async () => {
    const results = [true, true, false];
    const tick = vi.fn(async () => results.shift() ?? false);
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick, logger });
    loop.start();
    await until(() => tick.mock.calls.length === 3);
    await loop.stop();
    expect(tick).toHaveBeenCalledTimes(3);
  });

  it('ticks when it is woken, also when it is woken during a tick', async () => {
    const { tick, release } = createPendingTick();
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick, logger });
    loop.start();
    await until(() => tick.mock.calls.length === 1);
    loop.wake();
    release();
    await until(() => tick.mock.calls.length === 2);
    await loop.stop();
  });

  it('runs its ticks outside the async context of the request that woke it', async () => {
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    const tick = async () => {
      contexts.push(request.getStore());
      return contexts.length === 2;
    };
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick, logger });
    loop.start();
    await until(() => contexts.length === 1);
    request.run('a request', () => loop.wake());
    await until(() => contexts.length === 3);
    loop.wake();
    await until(() => contexts.length === 4);
    await loop.stop();
    expect(contexts).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('runs one tick at a time, also when it is started during a tick', async () => {
    const { tick, release } = createPendingTick();
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick, logger });
    loop.wake();
    await until(() => tick.mock.calls.length === 1);
    loop.start();
    // Timers that the loop has set meanwhile are due before this one.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(tick).toHaveBeenCalledTimes(1);
    release();
    await until(() => tick.mock.calls.length === 2);
    await loop.stop();
  });

  it('continues after a failed tick, and logs an outage and its end once each', async () => {
    logger.warn.mockClear();
    let calls = 0;
    const tick = async () => {
      calls += 1;
      if (calls < 4) throw new Error('away');
      return false;
    };
    const loop = new PollingLoop({ name: 'test', intervalMs: 1, tick, logger });
    loop.start();
    await until(() => calls > 4);
    await loop.stop();
    expect(logger.warn.mock.calls.map(([message]) => message as string)).toEqual([
      'test failed, will retry',
      'test works again',
    ]);
  });

  it('aborts the running tick when it is stopped, and does not log that as a failure', async () => {
    logger.warn.mockClear();
    const tick = vi.fn(
      (stop: AbortSignal) =>
        new Promise<boolean>((_, reject) =>
          stop.addEventListener('abort', () => reject(stop.reason as Error)),
        ),
    );
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick, logger });
    loop.start();
    await until(() => tick.mock.calls.length === 1);
    await loop.stop();
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it('waits for the running tick when it is stopped, and starts no further tick', async () => {
    const { tick, release } = createPendingTick(true);
    const loop = new PollingLoop({ name: 'test', intervalMs: 1, tick, logger });
    loop.start();
    await until(() => tick.mock.calls.length === 1);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    release();
    await stopping;
    loop.wake();
    expect(tick).toHaveBeenCalledTimes(1);
  });
});
