import type { Consumer, JobQueue } from '@app/jobs';
import { describe, expect, it, vi } from 'vitest';
import { StageConsumers } from './stage-consumers.js';

type Work = (stage: unknown, signal: AbortSignal) => unknown;

/** Three queues, whose deliveries run what they are given. @param stage of all of them */
function consumers(stage: { work: Work } = { work: () => undefined }) {
  const handlers: ((delivered: unknown, stop: AbortSignal) => Promise<unknown>)[] = [];
  const claimed = { jobId: 'job', name: 'preprocess', attempts: 1, job: { requestId: 'request' } };
  const runner = {
    run: vi.fn(async (_: string, stop: AbortSignal, work: Work): Promise<unknown> => {
      await work(claimed, stop);
      return 'committed';
    }),
  };
  const bound: { isConsuming: boolean }[] = [];
  const queue = {
    consume: async (_: string, _concurrency: number, handler: (typeof handlers)[number]) => {
      handlers.push(handler);
      const consumer = { isConsuming: true, close: async () => undefined };
      bound.push(consumer);
      return consumer as Consumer;
    },
  } as unknown as JobQueue;
  const probes: Record<string, () => Promise<unknown>> = {};
  const health = { require: (name: string, probe: () => Promise<unknown>) => void (probes[name] = probe) };
  const options = { concurrency: { preprocess: 1, chunk: 1, aggregation: 1 }, shutdownSeconds: 1 };
  const [by, each] = [runner as never, stage as never];
  const service = new StageConsumers(queue, options as never, health as never, by, each, each, each);
  return { service, runner, bound, handlers, probe: () => probes.consumers?.() };
}

describe('the health check of a processor', () => {
  it('fails before the processor consumes, and when one of its queues is no longer consumed', async () => {
    const { service, bound, probe } = consumers();
    const starting = service.start();
    await expect(probe()).rejects.toThrow('not consuming');
    await starting;
    await expect(probe()).resolves.toBeUndefined();
    const [, one] = bound;
    if (one) one.isConsuming = false;
    await expect(probe()).rejects.toThrow('not consuming');
  });
});

describe('StageConsumers', () => {
  it('passes the stop signal of the process to the stages of every queue', async () => {
    const told: AbortSignal[] = [];
    const { service, handlers } = consumers({ work: (_, signal) => told.push(signal) });
    await service.start();
    const { signal } = new AbortController();
    for (const handler of handlers) await handler({}, signal);
    expect(told).toEqual([signal, signal, signal]);
  });
});

describe('a queue message', () => {
  it.each([
    ['committed', 'done'],
    ['failed', 'failed'],
    ['returned', 'retried'],
    ['stale', 'stale'],
    ['nothing to do', 'idle'],
  ])('of a stage with result "%s" is reported as %s', async (result, outcome) => {
    const { service, runner, handlers } = consumers();
    await service.start();
    runner.run.mockResolvedValue(result);
    expect(await handlers[0]?.({}, new AbortController().signal)).toBe(outcome);
  });
});
