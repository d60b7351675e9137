import type { Consumer, JobQueue } from '@app/jobs';
import { describe, expect, it } from 'vitest';
import { StageConsumers } from './stage-consumers.js';

function consumers() {
  const bound: { consuming: boolean }[] = [];
  const queue = {
    consume: async () => {
      const consumer = { consuming: true, close: async () => undefined };
      bound.push(consumer);
      return consumer as Consumer;
    },
  } as unknown as JobQueue;
  const probes: Record<string, () => Promise<unknown>> = {};
  const health = { watch: (name: string, probe: () => Promise<unknown>) => void (probes[name] = probe) };
  const options = { concurrency: { preprocess: 1, chunk: 1, aggregation: 1 }, shutdownSeconds: 1 };
  const none = {} as never;
  const service = new StageConsumers(queue, options as never, health as never, none, none, none, none);
  return { service, bound, probe: () => probes.consumers?.() };
}

describe('the health of a processor', () => {
  it('is bad before it consumes, and as soon as one of its queues is not consumed any more', async () => {
    const { service, bound, probe } = consumers();
    const bootstrapping = service.onApplicationBootstrap();
    await expect(probe()).rejects.toThrow('not consuming');
    await bootstrapping;
    await expect(probe()).resolves.toBeUndefined();
    const [, one] = bound;
    if (one) one.consuming = false;
    await expect(probe()).rejects.toThrow('not consuming');
  });
});
