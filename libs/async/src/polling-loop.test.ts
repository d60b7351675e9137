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

/** A pass that does not end before it is released. @param more whether it then says that there is more to do */
function createPendingPass(more = false) {
  let release = () => {};
  const end = new Promise<boolean>((resolve) => (release = () => resolve(more)));
  return { pass: vi.fn(() => end), release: () => release() };
}

describe('PollingLoop', () => {
  it('ticks at once, and again while a tick reports more work', async () => {
    const answers = [true, true, false];
    const pass = vi.fn(async () => answers.shift() ?? false);
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick: pass, logger });
    loop.start();
    await until(() => pass.mock.calls.length === 3);
    await loop.stop();
    expect(pass).toHaveBeenCalledTimes(3);
  });

  it('ticks when it is woken, also when it is woken during a tick', async () => {
    const { pass, release } = createPendingPass();
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick: pass, logger });
    loop.start();
    await until(() => pass.mock.calls.length === 1);
    loop.wake();
    release();
    await until(() => pass.mock.calls.length === 2);
    await loop.stop();
  });

  it('runs its ticks outside the async context of the request that woke it', async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const pass = async () => {
      seen.push(request.getStore());
      return seen.length === 2;
    };
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick: pass, logger });
    loop.start();
    await until(() => seen.length === 1);
    request.run('a request', () => loop.wake());
    await until(() => seen.length === 3);
    loop.wake();
    await until(() => seen.length === 4);
    await loop.stop();
    expect(seen).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('runs one tick at a time, also when it is started during a tick', async () => {
    const { pass, release } = createPendingPass();
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick: pass, logger });
    loop.wake();
    await until(() => pass.mock.calls.length === 1);
    loop.start();
    // Whatever the loop has asked for meanwhile is due before this is.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pass).toHaveBeenCalledTimes(1);
    release();
    await until(() => pass.mock.calls.length === 2);
    await loop.stop();
  });

  it('continues after a failed tick, and logs an outage and its end once each', async () => {
    logger.warn.mockClear();
    let calls = 0;
    const pass = async () => {
      calls += 1;
      if (calls < 4) throw new Error('away');
      return false;
    };
    const loop = new PollingLoop({ name: 'test', intervalMs: 1, tick: pass, logger });
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
    const pass = vi.fn(
      (stop: AbortSignal) =>
        new Promise<boolean>((_, reject) =>
          stop.addEventListener('abort', () => reject(stop.reason as Error)),
        ),
    );
    const loop = new PollingLoop({ name: 'test', intervalMs: 60_000, tick: pass, logger });
    loop.start();
    await until(() => pass.mock.calls.length === 1);
    await loop.stop();
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it('waits for the running tick when it is stopped, and starts no further tick', async () => {
    const { pass, release } = createPendingPass(true);
    const loop = new PollingLoop({ name: 'test', intervalMs: 1, tick: pass, logger });
    loop.start();
    await until(() => pass.mock.calls.length === 1);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    release();
    await stopping;
    loop.wake();
    expect(pass).toHaveBeenCalledTimes(1);
  });
});
