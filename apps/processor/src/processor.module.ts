import { availableParallelism } from 'node:os';
import { CreditHooks } from '@app/billing';
import { resolveModelsFolder, resolveWorkFolder } from '@app/config';
import { DatabaseModule } from '@app/database';
import { InstallationModule } from '@app/installation';
import { combineJobHooks, JOB_HOOKS, JobsModule } from '@app/jobs';
import {
  createMetricsRegistry,
  createSealer,
  registerDiskMetrics,
  type BootContext,
  HealthModule,
  JobEndReporter,
  buildJobsOptions,
  toSimpleLogger,
  createStoreErrorCounter,
  buildStorageOptions,
} from '@app/runtime';
import { createEngine, loadAuxiliaryModels } from '@app/speech';
import { StorageModule } from '@app/storage';
import { WebhookJobHooks, WebhooksModule } from '@app/webhooks';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { AggregationStage } from './aggregation/aggregation.stage.js';
import { ChunkStage } from './chunk/chunk.stage.js';
import { createQueueMessageMetrics } from './queues/queue-message-metrics.js';
import { StageMetrics } from './queues/stage-metrics.js';
import { StageConsumers } from './queues/stage-consumers.js';
import { AggregationProcessor, ChunkProcessor, PreprocessProcessor } from './queues/stage-processors.js';
import { stageRunnerProvider } from './queues/stage-runner.provider.js';
import { AudioSource } from './preprocess/audio-source.js';
import { PreprocessStage } from './preprocess/preprocess.stage.js';
import {
  PROCESSOR_OPTIONS,
  type ProcessorOptions,
  AUXILIARY_MODELS,
  SPEECH_ENGINE,
} from './processor-options.js';
import { SpeechShutdown } from './speech-shutdown.js';
import { OrphanMetrics } from './maintenance/orphan-metrics.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';
import { createAttemptMetrics } from './webhooks/attempt-metrics.js';
import { WebhookDispatchModule } from './webhooks/webhook-dispatch.module.js';
import { WorkStartup } from './work-startup.js';
import { WorkShutdown } from './work-shutdown.js';
import { ScratchDirectory } from './scratch-directory.js';

/** The processor: consumes the queues, runs the stages of jobs and does maintenance. */
@Module({})
export class ProcessorModule {
  static forRoot(foundation: BootContext, place: ScratchDirectory): DynamicModule {
    const { config, databaseUrl, logger } = foundation;
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
        JobsModule.forRoot(buildJobsOptions(foundation, createQueueMessageMetrics(metrics))),
        InstallationModule.forRoot({ program: 'processor' }),
        StorageModule.forRoot(buildStorageOptions(foundation), createStoreErrorCounter(metrics)),
        WebhooksModule.forRoot({ allow: config.outbound.allow, sealer: createSealer(foundation) }),
        WebhookDispatchModule.forRoot({
          concurrency: config.outbound.webhookConcurrency,
          backoffSeconds: config.outbound.webhookBackoffSeconds,
          downloadSeconds: config.limits.downloadSeconds,
          logger: toSimpleLogger(logger),
          onAttempt: createAttemptMetrics(metrics),
        }),
        HealthModule.forRoot(metrics),
      ],
      providers: [
        { provide: PROCESSOR_OPTIONS, useValue: buildProcessorOptions(foundation) },
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
        { provide: ScratchDirectory, useValue: place },
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
    audioBytes: limits.multipartBytes,
    audioFetchSeconds: outbound.audioFetchSeconds,
  };
}
