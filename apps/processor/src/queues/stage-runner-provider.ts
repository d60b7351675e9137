import { JOB_HOOKS_TOKEN, type JobHooks, StageQueues, OutboxRelay, StageRunner } from '@app/jobs';
import { failCurrentSpan, type SimpleLogger } from '@app/runtime';
import type { Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { StageMetrics } from './stage-metrics.js';
import { runStageInSpanWithLogFields } from './run-stage-in-span-with-log-fields.js';

const RETRY_DELAY_SECONDS = 2;

/** The runner of the stages of all queues. */
export function createSharedStageRunnerProvider(logger: SimpleLogger): Provider {
  return {
    provide: StageRunner,
    inject: [DataSource, JOB_HOOKS_TOKEN, OutboxRelay, PROCESSOR_OPTIONS_TOKEN, StageMetrics, StageQueues],
    useFactory: (
      dataSource: DataSource,
      hooks: JobHooks,
      relay: OutboxRelay,
      options: ProcessorOptions,
      metrics: StageMetrics,
      queue: StageQueues,
    ) =>
      new StageRunner({
        dataSource,
        hooks,
        leaseSeconds: options.leaseSeconds,
        stageTimeoutSeconds: options.stageTimeoutSeconds,
        maxRunningPerAccount: { fetch: options.audioFetchesPerAccount },
        maxAttempts: options.maxAttempts,
        maxCrashes: options.maxCrashes,
        retryDelaySeconds: RETRY_DELAY_SECONDS,
        returnsMessages: queue.kind === 'redis',
        logger,
        wrapRun: runStageInSpanWithLogFields,
        onAttemptFailed: (stageQueue, kind, error) => {
          metrics.recordAttemptFailure(stageQueue, kind, error);
          failCurrentSpan(error);
        },
        onCommitted: (messages) => relay.send(messages),
      }),
  };
}
