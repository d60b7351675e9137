import { JOB_EFFECTS, type JobEffects, Relay, StageRunner } from '@app/jobs';
import type { PlainLog } from '@app/runtime';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StageMetrics } from './stage-metrics.js';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';

export const STAGE_RUNNER = Symbol('STAGE_RUNNER');

const RETRY_SECONDS = 2;

export function stageRunnerProvider(logger: PlainLog): Provider {
  return {
    provide: STAGE_RUNNER,
    inject: [DataSource, JOB_EFFECTS, Relay, PROCESSOR_OPTIONS, StageMetrics],
    useFactory: (
      dataSource: DataSource,
      effects: JobEffects,
      relay: Relay,
      options: ProcessorOptions,
      metrics: StageMetrics,
    ) =>
      new StageRunner({
        dataSource,
        effects,
        leaseSeconds: options.leaseSeconds,
        stageSeconds: options.stageSeconds,
        maxAttempts: options.maxAttempts,
        retrySeconds: RETRY_SECONDS,
        logger,
        onAttemptFailed: (...failure) => metrics.attemptFailed(...failure),
        committed: () => relay.nudge(),
      }),
  };
}
