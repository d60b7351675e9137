import { type ClaimedStage, combineJobHooks, LeaseLostError, StageRunner } from '@app/jobs';
import type { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { countDependentSignals } from '../support/dependent-signals.js';

const stage = {
  jobId: 'a',
  name: 'chunk:0',
  fence: 0,
  attempts: 1,
  crashes: 0,
} as Partial<ClaimedStage> as ClaimedStage;

const createRunner = () =>
  new StageRunner({
    dataSource: {} as DataSource,
    hooks: combineJobHooks(),
    logger: { info: () => undefined, warn: () => undefined },
    onCommitted: () => undefined,
    leaseSeconds: 60,
    stageTimeoutSeconds: 60,
    maxAttempts: 3,
    maxCrashes: 10,
    retryDelaySeconds: 1,
  });

describe('StageRunner', () => {
  it('leaves nothing of a run in the signal of the shutdown, which lasts as long as the process', async () => {
    const shutdown = new AbortController();
    const runner = createRunner();
    const lose = async (_: ClaimedStage, signal: AbortSignal) => {
      AbortSignal.any([signal, new AbortController().signal]);
      throw new LeaseLostError('lost');
    };
    for (let run = 0; run < 3; run += 1)
      expect(await runner.runClaimed(stage, shutdown.signal, lose)).toBe('stale');
    expect(countDependentSignals(shutdown.signal)).toBe(0);
    AbortSignal.any([shutdown.signal, new AbortController().signal]);
    expect(countDependentSignals(shutdown.signal)).toBe(1);
  });

  it('aborts the work at the shutdown', async () => {
    const shutdown = new AbortController();
    const reasons: unknown[] = [];
    const work = async (_: ClaimedStage, signal: AbortSignal) => {
      shutdown.abort(new Error('closing'));
      reasons.push(signal.reason);
      throw new LeaseLostError('lost');
    };
    expect(await createRunner().runClaimed(stage, shutdown.signal, work)).toBe('stale');
    expect(reasons).toEqual([new Error('closing')]);
  });
});
