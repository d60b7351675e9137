import { WaitingError } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { QueueMessageRunner } from './queue-message-runner.js';
import type { BullJob } from './backoff-worker.js';
import type { QueueMessageReport } from './queue-options.js';

/** A job that notes whether it was given back. */
function jobOf(data: unknown) {
  const givenBack: (string | undefined)[] = [];
  const job = {
    id: 'a-1',
    data,
    timestamp: Date.now() - 40,
    moveToWait: async (token?: string) => void givenBack.push(token),
  };
  return { job: job as unknown as BullJob, givenBack };
}

function runnerOf(handler: (payload: unknown, signal: AbortSignal) => Promise<void>, observe?: () => void) {
  const reports: QueueMessageReport[] = [];
  const lines: string[] = [];
  const runner = new QueueMessageRunner(
    'chunk',
    handler,
    { warn: (line) => void lines.push(line) },
    (report) => {
      reports.push(report);
      observe?.();
    },
  );
  return { runner, reports, lines };
}

describe('QueueMessageRunner', () => {
  it('passes the payload to the handler and reports wait time and run time', async () => {
    const seen: unknown[] = [];
    const { runner, reports } = runnerOf(async (payload) => void seen.push(payload));
    await runner.run(jobOf({ index: 1 }).job, 'token');
    expect(seen).toEqual([{ index: 1 }]);
    expect(reports).toEqual([
      { queue: 'chunk', outcome: 'done', waitMs: expect.any(Number), runMs: expect.any(Number) },
    ]);
    expect(reports[0]?.waitMs).toBeGreaterThanOrEqual(40);
    expect(runner.running).toBe(0);
  });

  it('catches and logs an error that the handler throws', async () => {
    const { runner, reports, lines } = runnerOf(() => Promise.reject(new Error('broken')));
    const { job, givenBack } = jobOf({});
    await runner.run(job, 'token');
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(lines).toEqual(['chunk: the handler of a-1 threw: broken']);
    expect(givenBack).toEqual([]);
  });

  it('catches and logs an error that the observer throws', async () => {
    const { runner, lines } = runnerOf(
      async () => {},
      () => {
        throw new Error('no metrics');
      },
    );
    await runner.run(jobOf({}).job, 'token');
    expect(lines).toEqual(['chunk: the delivery observer threw: no metrics']);
  });

  it('requeues an aborted message and every message that arrives after stopAccepting', async () => {
    const { runner, reports } = runnerOf(
      (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const [held, late] = [jobOf({}), jobOf({})];
    const running = runner.run(held.job, 'held');
    expect(runner.running).toBe(1);
    runner.stopAccepting();
    runner.abort();
    await expect(running).rejects.toThrow(WaitingError);
    await expect(runner.run(late.job, 'late')).rejects.toThrow(WaitingError);
    expect([held.givenBack, late.givenBack]).toEqual([['held'], ['late']]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['returned']);
  });

  it('reports a handler that returns normally after an abort as done', async () => {
    const { runner, reports } = runnerOf(
      (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    );
    const { job, givenBack } = jobOf({});
    const running = runner.run(job, 'token');
    runner.abort();
    await running;
    expect(reports.map(({ outcome }) => outcome)).toEqual(['done']);
    expect(givenBack).toEqual([]);
  });
});
