import { type BullJob, QUEUE_NAMES } from '@app/jobs';
import { describe, expect, it, vi } from 'vitest';
import { AggregationProcessor, ChunkProcessor, PreprocessProcessor } from './stage-processors.js';

type Work = (stage: unknown, signal: AbortSignal) => unknown;

const HOSTS = [PreprocessProcessor, ChunkProcessor, AggregationProcessor];

/** @param stage what the host of each queue runs */
function createHosts(stage: { work: Work } = { work: () => undefined }) {
  const claimed = { jobId: 'job', name: 'preprocess', attempts: 1, job: { requestId: 'request' } };
  const runner = {
    run: vi.fn(async (_: string, stop: AbortSignal, work: Work): Promise<unknown> => {
      await work(claimed, stop);
      return 'committed';
    }),
  };
  const hosts = HOSTS.map((Host) => new Host(runner as never, stage as never));
  return { hosts, runner };
}

const message = { queueName: 'chunk' } as BullJob;

describe('StageProcessor', () => {
  it('has one subclass for each queue', () => {
    const names = HOSTS.map(
      (Host) => Reflect.getMetadata('bullmq:processor_metadata', Host) as { name: string },
    );
    expect(names.map(({ name }) => name)).toEqual(QUEUE_NAMES);
  });

  it('passes the stop signal of the process to the stages of every queue', async () => {
    const signals: AbortSignal[] = [];
    const { hosts } = createHosts({ work: (_, signal) => signals.push(signal) });
    const { signal } = new AbortController();
    for (const host of hosts) await host.process(message, 'token', signal);
    expect(signals).toEqual([signal, signal, signal]);
  });

  it.each([
    ['committed', 'done'],
    ['failed', 'failed'],
    ['returned', 'retried'],
    ['stale', 'stale'],
    ['nothing to do', 'idle'],
  ])('reports a message whose stage has the result "%s" as %s', async (result, outcome) => {
    const { hosts, runner } = createHosts();
    runner.run.mockResolvedValue(result);
    expect(await hosts[0]?.process(message, 'token', new AbortController().signal)).toBe(outcome);
  });

  it('claims a stage of the queue that the message came from', async () => {
    const { hosts, runner } = createHosts();
    await hosts[1]?.process(message, 'token', new AbortController().signal);
    expect(runner.run.mock.lastCall?.[0]).toBe('chunk');
  });
});
