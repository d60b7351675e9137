import { type BullJob, QUEUE_NAMES, ReturnMessageToQueueError } from '@app/jobs';
import { describe, expect, it, vi } from 'vitest';
import { ChunkSlots } from '../chunk/chunk-slots.js';
import {
  AggregationProcessor,
  ChunkProcessor,
  FetchProcessor,
  PreprocessProcessor,
} from './stage-processors.js';

type Work = (stage: unknown, signal: AbortSignal) => unknown;

const PROCESSORS = [FetchProcessor, PreprocessProcessor, ChunkProcessor, AggregationProcessor];

/** @param stage run by the processor of each queue */
function createProcessors(stage: { work: Work } = { work: () => undefined }) {
  const claimed = { jobId: 'job', name: 'preprocess', attempts: 1, job: { requestId: 'request' } };
  const runner = {
    run: vi.fn(async (_: string, stop: AbortSignal, work: Work): Promise<unknown> => {
      await work(claimed, stop);
      return 'committed';
    }),
    waitBeforeClaim: (wait: (stop: AbortSignal) => Promise<unknown>, shutdown: AbortSignal) => wait(shutdown),
  };
  const slots = new ChunkSlots(1);
  const stages = { ...stage, workOnChunk: stage.work } as never;
  const processors = PROCESSORS.map((Processor) => new Processor(runner as never, stages, slots));
  const [fetch, ...others] = processors as [FetchProcessor, ...PreprocessProcessor[]];
  return { fetch, others, slots, runner };
}

const message = { queueName: 'chunk' } as BullJob;

describe('StageProcessor', () => {
  it('has one subclass for each queue', () => {
    const names = PROCESSORS.map(
      (Processor) => Reflect.getMetadata('bullmq:processor_metadata', Processor) as { name: string },
    );
    expect(names.map(({ name }) => name)).toEqual(QUEUE_NAMES);
  });

  it('passes the stop signal of the process to the stages of every queue', async () => {
    const signals: AbortSignal[] = [];
    const { fetch, others, runner } = createProcessors({ work: (_, signal) => signals.push(signal) });
    const { signal } = new AbortController();
    for (const processor of others) await processor.process(message, 'token', signal);
    const run = runner.run.getMockImplementation() ?? expect.unreachable('a mock');
    runner.run.mockResolvedValue('idle').mockImplementationOnce(run);
    await fetch.process(message, 'token', signal);
    expect(signals).toEqual([signal, signal, signal, signal]);
  });

  it.each([
    ['committed', 'done'],
    ['failed', 'failed'],
    ['released', 'retried'],
    ['stale', 'stale'],
    ['idle', 'idle'],
  ])('reports a message whose stage has the result "%s" as %s', async (result, outcome) => {
    const { others, runner } = createProcessors();
    runner.run.mockResolvedValue(result);
    expect(await others[0]?.process(message, 'token', new AbortController().signal)).toBe(outcome);
  });

  it('claims a stage of the queue that the message came from', async () => {
    const { others, runner } = createProcessors();
    await others[1]?.process(message, 'token', new AbortController().signal);
    expect(runner.run.mock.lastCall?.[0]).toBe('chunk');
  });
});

describe('ChunkProcessor', () => {
  it('claims a chunk once it has a slot, and frees the slot afterwards', async () => {
    const { others, slots, runner } = createProcessors();
    const release = slots.tryTake();
    const processing = others[1]?.process(message, 'token', new AbortController().signal);
    await Promise.resolve();
    expect(runner.run).not.toHaveBeenCalled();
    release?.();
    expect(await processing).toBe('done');
    expect(slots.tryTake()).not.toBeNull();
  });

  it('returns its message to the queue when the process stops while it waits for a slot', async () => {
    const { others, slots, runner } = createProcessors();
    slots.tryTake();
    const stop = new AbortController();
    const processing = others[1]?.process(message, 'token', stop.signal);
    stop.abort(new Error('closing'));
    await expect(processing).rejects.toThrow('closing');
    expect(runner.run).not.toHaveBeenCalled();
  });
});

describe('FetchProcessor', () => {
  it('fetches until nothing is left to claim, and reports the last result', async () => {
    const { fetch, runner } = createProcessors();
    runner.run
      .mockResolvedValueOnce('committed')
      .mockResolvedValueOnce('failed')
      .mockResolvedValueOnce('idle');
    expect(await fetch.process(message, 'token', new AbortController().signal)).toBe('failed');
    expect(runner.run).toHaveBeenCalledTimes(3);
  });

  it('claims nothing more when the process stops', async () => {
    const { fetch, runner } = createProcessors();
    await fetch.process(message, 'token', AbortSignal.abort());
    expect(runner.run).toHaveBeenCalledTimes(1);
  });

  it('claims nothing more when the consumers close, and returns its message for another processor', async () => {
    const { fetch, runner } = createProcessors();
    const run = runner.run.getMockImplementation() ?? expect.unreachable('a mock');
    runner.run.mockResolvedValue('idle').mockImplementationOnce(async (...given) => {
      fetch.stopClaiming();
      return run(...given);
    });
    const processing = fetch.process(message, 'token', new AbortController().signal);
    await expect(processing).rejects.toBeInstanceOf(ReturnMessageToQueueError);
    expect(runner.run).toHaveBeenCalledTimes(1);
  });
});
