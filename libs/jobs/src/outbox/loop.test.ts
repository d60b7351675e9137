import { describe, expect, it, vi } from 'vitest';
import { Loop } from './loop.js';

const logger = { warn: vi.fn() };

function until(condition: () => boolean): Promise<void> {
  return vi.waitFor(
    () => {
      if (!condition()) throw new Error('not yet');
    },
    { timeout: 20_000 },
  );
}

describe('Loop', () => {
  it('runs at once, and again while there is more', async () => {
    const answers = [true, true, false];
    const pass = vi.fn(async () => answers.shift() ?? false);
    const loop = new Loop({ name: 'test', intervalMs: 60_000, pass, logger });
    loop.start();
    await until(() => pass.mock.calls.length === 3);
    await loop.stop();
    expect(pass).toHaveBeenCalledTimes(3);
  });

  it('runs when nudged, also when nudged during a pass', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const pass = vi.fn(async () => {
      await gate;
      return false;
    });
    const loop = new Loop({ name: 'test', intervalMs: 60_000, pass, logger });
    loop.start();
    await until(() => pass.mock.calls.length === 1);
    loop.nudge();
    release();
    await until(() => pass.mock.calls.length === 2);
    await loop.stop();
  });

  it('makes one pass at a time, also when it is started while one that was nudged is under way', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const pass = vi.fn(async () => {
      await gate;
      return false;
    });
    const loop = new Loop({ name: 'test', intervalMs: 60_000, pass, logger });
    loop.nudge();
    await until(() => pass.mock.calls.length === 1);
    loop.start();
    // Whatever the loop has asked for meanwhile is due before this is.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pass).toHaveBeenCalledTimes(1);
    release();
    await until(() => pass.mock.calls.length === 2);
    await loop.stop();
  });

  it('goes on after a failure and reports the outage once', async () => {
    logger.warn.mockClear();
    let calls = 0;
    const pass = async () => {
      calls += 1;
      if (calls < 4) throw new Error('away');
      return false;
    };
    const loop = new Loop({ name: 'test', intervalMs: 1, pass, logger });
    loop.start();
    await until(() => calls > 4);
    await loop.stop();
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });

  it('waits for the pass under way when stopped, and starts none after', async () => {
    let release = () => {};
    const gate = new Promise<boolean>((resolve) => (release = () => resolve(true)));
    const pass = vi.fn(() => gate);
    const loop = new Loop({ name: 'test', intervalMs: 1, pass, logger });
    loop.start();
    await until(() => pass.mock.calls.length === 1);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    release();
    await stopping;
    loop.nudge();
    expect(pass).toHaveBeenCalledTimes(1);
  });
});
