import { JOB_HOOKS_TOKEN, type JobHooks, JobQueue, OutboxRelay, StageRunner } from '@app/jobs';
import type { SimpleLogger } from '@app/runtime';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { StageMetrics } from './stage-metrics.js';

const RETRY_DELAY_SECONDS = 2;

/** The runner of the stages of all queues. */
export function createStageRunnerProvider(logger: SimpleLogger): Provider {
  return {
    provide: StageRunner,
    inject: [DataSource, JOB_HOOKS_TOKEN, OutboxRelay, PROCESSOR_OPTIONS_TOKEN, StageMetrics, JobQueue],
    useFactory: (
      dataSource: DataSource,
      hooks: JobHooks,
      relay: OutboxRelay,
      options: ProcessorOptions,
      metrics: StageMetrics,
      queue: JobQueue,
    ) =>
      new StageRunner({
        dataSource,
        hooks,
        leaseSeconds: options.leaseSeconds,
        stageTimeoutSeconds: options.stageTimeoutSeconds,
        maxRunningPerAccount: { fetch: options.audioFetchesPerAccount },
        maxAttempts: options.maxAttempts,
        retryDelaySeconds: RETRY_DELAY_SECONDS,
        returnsMessages: queue.kind === 'redis',
        logger,
        onAttemptFailed: (...failure) => metrics.recordAttemptFailure(...failure),
        onCommitted: (messages) => relay.send(messages),
      }),
  };
}
