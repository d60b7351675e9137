import { JOB_HOOKS, type JobHooks, Relay, StageRunner } from '@app/jobs';
import type { SimpleLogger } from '@app/runtime';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { StageMetrics } from './stage-metrics.js';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';

const RETRY_DELAY_SECONDS = 2;

export function stageRunnerProvider(logger: SimpleLogger): Provider {
  return {
    provide: StageRunner,
    inject: [DataSource, JOB_HOOKS, Relay, PROCESSOR_OPTIONS, StageMetrics],
    useFactory: (
      dataSource: DataSource,
      hooks: JobHooks,
      relay: Relay,
      options: ProcessorOptions,
      metrics: StageMetrics,
    ) =>
      new StageRunner({
        dataSource,
        hooks,
        leaseSeconds: options.leaseSeconds,
        stageTimeoutSeconds: options.stageTimeoutSeconds,
        maxAttempts: options.maxAttempts,
        retryDelaySeconds: RETRY_DELAY_SECONDS,
        logger,
        onAttemptFailed: (...failure) => metrics.recordAttemptFailure(...failure),
        onCommitted: () => relay.wake(),
      }),
  };
}
