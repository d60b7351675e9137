import { availableParallelism } from 'node:os';
import { CARD_PAYMENTS, CardPayments, CreditHooks } from '@app/billing';
import { resolveModelsFolder, resolveWorkFolder } from '@app/config';
import { DatabaseModule } from '@app/database';
import { InstallationModule } from '@app/installation';
import { combineJobHooks, JOB_HOOKS, type JobHooks, JobsModule, OutboxRelay, StageRunner } from '@app/jobs';
import {
  createMetricsRegistry,
  createEncryptor,
  registerDiskMetrics,
  type BootContext,
  HealthAndMetricsModule,
  JobEndReporter,
  buildJobsOptions,
  type SimpleLogger,
  toSimpleLogger,
  createStoreErrorCounter,
  buildStorageOptions,
  buildStripeOptions,
} from '@app/runtime';
import { createEngine, loadAuxiliaryModels } from '@app/speech';
import { StorageModule } from '@app/storage';
import { OutboundModule } from '@app/outbound';
import { WebhookJobHooks, WebhooksModule } from '@app/webhooks';
import { type DynamicModule, Logger, Module, type Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AggregationStage } from './aggregation/aggregation.stage.js';
import { ChunkStage } from './chunk/chunk.stage.js';
import { createQueueMessageRecorder, StageMetrics } from './queues/stage-metrics.js';
import { StageConsumers } from './queues/stage-consumers.js';
import { AggregationProcessor, ChunkProcessor, PreprocessProcessor } from './queues/stage-processors.js';
import { AudioSource } from './preprocess/audio-source.js';
import { PreprocessStage } from './preprocess/preprocess.stage.js';
import {
  PROCESSOR_OPTIONS,
  type ProcessorOptions,
  AUXILIARY_MODELS,
  SPEECH_ENGINE,
} from './processor-options.js';
import { SpeechShutdown, WorkStartup, WorkShutdown } from './work-lifecycle.js';
import { OrphanMetrics } from './maintenance/orphan-metrics.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';
import { createWebhookAttemptRecorder } from './webhooks/webhook-attempt-metrics.js';
import {
  WEBHOOK_DISPATCH_OPTIONS,
  type WebhookDispatchOptions,
  WebhookDispatchService,
} from './webhooks/webhook-dispatch.service.js';
import { ScratchDirectory } from './scratch-directory.js';

@Module({})
export class ProcessorModule {
  static forRoot(context: BootContext, scratchDirectory: ScratchDirectory): DynamicModule {
    const { config, databaseUrl, logger } = context;
    const metrics = createMetricsRegistry('processor');
    registerDiskMetrics(metrics, { data: config.service.dataDir, work: resolveWorkFolder(config) });
    return {
      module: ProcessorModule,
      imports: [
        DatabaseModule.forRoot({
          url: databaseUrl,
          poolSize: config.database.poolSize,
          applicationName: 'zephyr-processor',
        }),
        JobsModule.forRoot(buildJobsOptions(context, createQueueMessageRecorder(metrics))),
        InstallationModule.forRoot({ program: 'processor' }),
        StorageModule.forRoot(buildStorageOptions(context), createStoreErrorCounter(metrics)),
        OutboundModule.forRoot(config.outbound.allow),
        WebhooksModule.forRoot(createEncryptor(context)),
        HealthAndMetricsModule.forRoot(metrics),
      ],
      providers: [
        { provide: PROCESSOR_OPTIONS, useValue: buildProcessorOptions(context) },
        {
          provide: JOB_HOOKS,
          useValue: combineJobHooks(
            new CreditHooks(config.billing.creditsPerSecond),
            new WebhookJobHooks(),
            new JobEndReporter(logger, metrics),
          ),
        },
        {
          provide: SPEECH_ENGINE,
          useFactory: () =>
            createEngine({
              ...config.speech,
              modelsDir: resolveModelsFolder(config),
              maxConcurrentChunks: resolveChunkConcurrency(config),
              onWarning: (message, error) => new Logger('Engine').warn(`${message} ${String(error)}`),
            }),
        },
        {
          provide: AUXILIARY_MODELS,
          inject: [PROCESSOR_OPTIONS],
          useFactory: ({ concurrency }: ProcessorOptions) =>
            loadAuxiliaryModels(resolveModelsFolder(config), {
              hosts: Math.max(concurrency.chunk, concurrency.preprocess),
            }),
        },
        { provide: ScratchDirectory, useValue: scratchDirectory },
        SpeechShutdown,
        { provide: StageMetrics, useValue: new StageMetrics(metrics) },
        stageRunnerProvider(toSimpleLogger(logger)),
        AudioSource,
        PreprocessStage,
        ChunkStage,
        AggregationStage,
        PreprocessProcessor,
        ChunkProcessor,
        AggregationProcessor,
        StageConsumers,
        {
          provide: WEBHOOK_DISPATCH_OPTIONS,
          useValue: {
            concurrency: config.outbound.webhookConcurrency,
            backoffSeconds: config.outbound.webhookBackoffSeconds,
            downloadSeconds: config.limits.downloadSeconds,
            logger: toSimpleLogger(logger),
            onAttempt: createWebhookAttemptRecorder(metrics),
          } satisfies WebhookDispatchOptions,
        },
        WebhookDispatchService,
        cardPaymentsProvider(context),
        MaintenanceService,
        { provide: OrphanMetrics, useValue: new OrphanMetrics(metrics) },
        WorkStartup,
        WorkShutdown,
      ],
    };
  }
}

function resolveChunkConcurrency({ pipeline }: BootContext['config']): number {
  return pipeline.chunkConcurrency ?? availableParallelism();
}

function buildProcessorOptions({ config }: BootContext): ProcessorOptions {
  const { pipeline, service, limits, outbound } = config;
  return {
    ...pipeline,
    bodyIdleSeconds: config.api.bodyIdleSeconds,
    bodyBytesPerSecond: config.api.bodyBytesPerSecond,
    concurrency: {
      preprocess: pipeline.preprocessConcurrency,
      chunk: resolveChunkConcurrency(config),
      aggregation: pipeline.aggregationConcurrency,
    },
    shutdownSeconds: service.shutdownSeconds,
    transcriptDays: limits.transcriptDays,
    paymentReconcileSeconds: config.payments.reconcileSeconds,
    audioBytes: limits.multipartBytes,
    audioFetchSeconds: outbound.audioFetchSeconds,
  };
}

function cardPaymentsProvider(context: BootContext): Provider {
  const stripe = buildStripeOptions(context);
  return {
    provide: CARD_PAYMENTS,
    useFactory: (dataSource: DataSource) =>
      stripe && new CardPayments(dataSource, stripe, new Logger(CardPayments.name)),
    inject: [DataSource],
  };
}

const RETRY_DELAY_SECONDS = 2;

function stageRunnerProvider(logger: SimpleLogger): Provider {
  return {
    provide: StageRunner,
    inject: [DataSource, JOB_HOOKS, OutboxRelay, PROCESSOR_OPTIONS, StageMetrics],
    useFactory: (
      dataSource: DataSource,
      hooks: JobHooks,
      relay: OutboxRelay,
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
