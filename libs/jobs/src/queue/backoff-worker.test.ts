import { WaitingError } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { BackoffWorker, type BullJob } from './backoff-worker.js';
import type { QueueMessageReport } from './queue-message.js';
import { DEFAULT_QUEUE_TIMINGS } from './queue-options.js';
import type { QueueServerConnection } from './queue-server-connection.js';

/** A job that records whether it was requeued. */
function jobOf(data: unknown) {
  const requeued: (string | undefined)[] = [];
  const job = {
    id: 'a-1',
    data,
    timestamp: Date.now() - 40,
    moveToWait: async (token?: string) => void requeued.push(token),
  };
  return { job: job as unknown as BullJob, requeued };
}

/** A worker that gets its messages from the test. */
class TestWorker extends BackoffWorker {
  handle(job: BullJob, token = 'token'): Promise<void> {
    return this.callProcessJob(job, token);
  }
}

function workerOf(handler: (payload: unknown, signal?: AbortSignal) => Promise<void>, observe?: () => void) {
  const reports: QueueMessageReport[] = [];
  const lines: string[] = [];
  const onMessageHandled = (report: QueueMessageReport) => {
    reports.push(report);
    observe?.();
  };
  const backend = { on: () => undefined, waitUntilReady: async () => {}, close: async () => {} };
  const connection = {
    timings: DEFAULT_QUEUE_TIMINGS,
    options: { logger: { warn: (line: string) => void lines.push(line) }, onMessageHandled },
    createBackend: () => backend,
  } as unknown as QueueServerConnection;
  const host = (job: BullJob, _token?: string, signal?: AbortSignal) => handler(job.data, signal);
  return { worker: new TestWorker('chunk', host, { connection }), reports, lines };
}

describe('BackoffWorker', () => {
  it('passes the payload to the handler and reports wait time and run time', async () => {
    const seen: unknown[] = [];
    const { worker, reports } = workerOf(async (payload) => void seen.push(payload));
    await worker.handle(jobOf({ index: 1 }).job, 'token');
    expect(seen).toEqual([{ index: 1 }]);
    expect(reports).toEqual([
      { queue: 'chunk', outcome: 'done', waitMs: expect.any(Number), runMs: expect.any(Number) },
    ]);
    expect(reports[0]?.waitMs).toBeGreaterThanOrEqual(40);
    expect(worker.runningHandlers).toBe(0);
  });

  it('catches and logs an error that the handler throws', async () => {
    const { worker, reports, lines } = workerOf(() => Promise.reject(new Error('broken')));
    const { job, requeued } = jobOf({});
    await worker.handle(job, 'token');
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(lines).toEqual(['chunk: the handler of a-1 threw: broken']);
    expect(requeued).toEqual([]);
  });

  it('catches and logs an error that the observer throws', async () => {
    const { worker, lines } = workerOf(
      async () => {},
      () => {
        throw new Error('no metrics');
      },
    );
    await worker.handle(jobOf({}).job, 'token');
    expect(lines).toEqual(['chunk: the message observer threw: no metrics']);
  });

  it('requeues an aborted message and every message that arrives after close', async () => {
    const { worker, reports } = workerOf(
      (_, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const [startedJob, laterJob] = [jobOf({}), jobOf({})];
    const running = worker.handle(startedJob.job, 'held');
    expect(worker.runningHandlers).toBe(1);
    void worker.close();
    worker.abortHandlers();
    await expect(running).rejects.toThrow(WaitingError);
    await expect(worker.handle(laterJob.job, 'late')).rejects.toThrow(WaitingError);
    expect([startedJob.requeued, laterJob.requeued]).toEqual([['held'], ['late']]);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['returned']);
  });

  it('reports a handler that returns normally after an abort as done', async () => {
    const { worker, reports } = workerOf(
      (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    );
    const { job, requeued } = jobOf({});
    const running = worker.handle(job, 'token');
    worker.abortHandlers();
    await running;
    expect(reports.map(({ outcome }) => outcome)).toEqual(['done']);
    expect(requeued).toEqual([]);
  });
});
