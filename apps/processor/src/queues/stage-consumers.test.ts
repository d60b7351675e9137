import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import { StageConsumers } from './stage-consumers.js';

let consumers: StageConsumers;
afterEach(() => consumers.close());

/** With a worker whose server always responds. */
function createProcessor(name: string) {
  const timings = { idlePollMs: 60_000, callTimeoutMs: 1_000 };
  const worker = Object.assign(new EventEmitter(), {
    name,
    concurrency: 0,
    isHeld: false,
    server: { timings, options: { logger: { warn: () => undefined } }, probe: async () => undefined },
    waitUntilReady: async () => undefined,
    run: async () => undefined,
    waitUntilIdle: async () => undefined,
    close: async () => undefined,
  });
  return { worker, stopClaiming: vi.fn() };
}

function createConsumers() {
  const processors = ['fetch', 'preprocess', 'chunk', 'aggregation'].map(createProcessor);
  const probes: Record<string, () => Promise<unknown>> = {};
  const health = {
    registerRequiredCheck: (name: string, probe: () => Promise<unknown>) => void (probes[name] = probe),
  };
  const options = { concurrency: { fetch: 8, preprocess: 1, chunk: 5, aggregation: 2 }, shutdownSeconds: 1 };
  const [fetch, preprocess, chunk, aggregation] = processors as never[];
  const registrar = { register: () => undefined };
  consumers = new StageConsumers(
    registrar as never,
    options as never,
    health as never,
    fetch as never,
    preprocess as never,
    chunk as never,
    aggregation as never,
    { close: async () => undefined } as never,
  );
  return {
    processors,
    workers: processors.map(({ worker }) => worker),
    probe: () => probes['consumers']?.(),
  };
}

it('the health check fails before the processor consumes, and when one of its queues is no longer consumed', async () => {
  const { workers, probe } = createConsumers();
  const starting = consumers.start();
  await expect(probe()).rejects.toThrow('not consuming');
  await starting;
  await expect(probe()).resolves.toBeUndefined();
  workers[1]?.emit('ioredis:close');
  await expect(probe()).rejects.toThrow('not consuming');
});

it('each queue is consumed with its configured concurrency', async () => {
  const { workers } = createConsumers();
  await consumers.start();
  expect(workers.map(({ concurrency }) => concurrency)).toEqual([8, 1, 5, 2]);
});

it('fetches that follow others are no longer claimed from the moment at which the consumers close', async () => {
  const { processors } = createConsumers();
  await consumers.start();
  const closing = consumers.close();
  expect(processors[0]?.stopClaiming).toHaveBeenCalledOnce();
  await closing;
});
