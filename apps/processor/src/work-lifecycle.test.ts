import { Logger } from '@nestjs/common';
import { expect, it, onTestFinished, vi } from 'vitest';
import { QueueAndWebhookWorkStopper, QueueAndWebhookWorkStarter } from './work-lifecycle.js';

it.each(['stages', 'maintenance', 'webhooks'])(
  'QueueAndWebhookWorkStopper stops all consumers of work at the same time and waits for all of them; last: %s',
  async (last) => {
    const resolvers = new Map<string, () => void>();
    const createStop = (name: string) => () =>
      new Promise<void>((resolve) => void resolvers.set(name, resolve));
    const stopper = new QueueAndWebhookWorkStopper(
      { close: createStop('stages') },
      { stop: createStop('maintenance') },
      { stop: createStop('webhooks') },
    );
    let hasEnded = false;
    const ended = stopper.onModuleDestroy().then(() => (hasEnded = true));
    expect([...resolvers.keys()]).toEqual(['stages', 'maintenance', 'webhooks']);
    for (const [name, resolve] of resolvers) if (name !== last) resolve();
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    resolvers.get(last)?.();
    await ended;
  },
);

it.each([true, false])(
  'QueueAndWebhookWorkStarter consumes stages and sends webhooks once the store is confirmed; confirmed at the start: %s',
  async (isConfirmed) => {
    const warn = vi.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    let confirm = () => {};
    const confirmed = new Promise<void>((resolve) => (confirm = resolve));
    const startConsumers = vi.fn(async () => undefined);
    const [startMaintenance, startDispatch] = [vi.fn(), vi.fn()];
    const starter = new QueueAndWebhookWorkStarter(
      { isConfirmed, confirmed },
      { start: startConsumers },
      { start: startMaintenance },
      { start: startDispatch },
    );
    const starts = [startConsumers, startMaintenance, startDispatch];
    const onStarted = vi.fn(() => starts.forEach((start) => expect(start).toHaveBeenCalledOnce()));
    const started = starter.started.then(onStarted);
    await starter.onApplicationBootstrap();
    if (!isConfirmed) {
      await new Promise(setImmediate);
      for (const start of [onStarted, ...starts]) expect(start).not.toHaveBeenCalled();
      confirm();
    }
    await started;
    expect(onStarted).toHaveBeenCalledOnce();
  },
);
