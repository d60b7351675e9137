import { availableParallelism } from 'node:os';
import { CreditEffects } from '@app/billing';
import { modelsFolder, workFolder } from '@app/config';
import { DatabaseModule } from '@app/database';
import { InstallationModule } from '@app/installation';
import { combineEffects, JOB_EFFECTS, JobsModule } from '@app/jobs';
import {
  createMetrics,
  createSealer,
  diskMetrics,
  type Foundation,
  HealthModule,
  JobEndReport,
  jobsOptions,
  plainLog,
  storeMetrics,
  storeOptions,
} from '@app/runtime';
import { createEngine, speechAids } from '@app/speech';
import { StorageModule } from '@app/storage';
import { WebhookEffects, WebhooksModule } from '@app/webhooks';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { AggregationStage } from './aggregation/aggregation.stage.js';
import { ChunkStage } from './chunk/chunk.stage.js';
import { deliveryMetrics } from './queues/delivery-metrics.js';
import { StageMetrics } from './queues/stage-metrics.js';
import { StageConsumers } from './queues/stage-consumers.js';
import { stageRunnerProvider } from './queues/stage-runner.provider.js';
import { AudioSource } from './preprocess/audio-source.js';
import { PreprocessStage } from './preprocess/preprocess.stage.js';
import { PROCESSOR_OPTIONS, type ProcessorOptions, SPEECH_AIDS, SPEECH_ENGINE } from './processor-options.js';
import { SpeechEnd } from './speech-end.js';
import { OrphanMetrics } from './upkeep/orphan-metrics.js';
import { Upkeep } from './upkeep/upkeep.service.js';
import { attemptMetrics } from './webhooks/attempt-metrics.js';
import { WebhookDispatchModule } from './webhooks/webhook-dispatch.module.js';
import { WorkBegin } from './work-begin.js';
import { WorkEnd } from './work-end.js';
import { WorkPlace } from './work-place.js';

/** The processor: takes deliveries, does the stages of jobs, and looks after what was left behind. */
@Module({})
export class ProcessorModule {
  static forRoot(foundation: Foundation, place: WorkPlace): DynamicModule {
    const { config, databaseUrl, logger } = foundation;
    const metrics = createMetrics('processor');
    diskMetrics(metrics, { data: config.service.dataDir, work: workFolder(config) });
    return {
      module: ProcessorModule,
      imports: [
        DatabaseModule.forRoot({
          url: databaseUrl,
          poolSize: config.database.poolSize,
          applicationName: 'zephyr-processor',
        }),
        JobsModule.forRoot(jobsOptions(foundation, deliveryMetrics(metrics))),
        InstallationModule.forRoot({ program: 'processor' }),
        StorageModule.forRoot(storeOptions(foundation), storeMetrics(metrics)),
        WebhooksModule.forRoot({ allow: config.outbound.allow, sealer: createSealer(foundation) }),
        WebhookDispatchModule.forRoot({
          concurrency: config.outbound.webhookConcurrency,
          backoffSeconds: config.outbound.webhookBackoffSeconds,
          downloadSeconds: config.limits.downloadSeconds,
          logger: plainLog(logger),
          onAttempt: attemptMetrics(metrics),
        }),
        HealthModule.forRoot(metrics),
      ],
      providers: [
        { provide: PROCESSOR_OPTIONS, useValue: processorOptions(foundation) },
        {
          provide: JOB_EFFECTS,
          useValue: combineEffects(
            new CreditEffects(config.billing.creditsPerSecond),
            new WebhookEffects(),
            new JobEndReport(logger, metrics),
          ),
        },
        {
          provide: SPEECH_ENGINE,
          useFactory: () =>
            createEngine({
              ...config.speech,
              modelsDir: modelsFolder(config),
              chunksAtOnce: chunksAtOnce(config),
              onSetback: (message, error) => new Logger('Engine').warn(`${message} ${String(error)}`),
            }),
        },
        {
          provide: SPEECH_AIDS,
          inject: [PROCESSOR_OPTIONS],
          useFactory: ({ concurrency }: ProcessorOptions) =>
            speechAids(modelsFolder(config), { hosts: Math.max(concurrency.chunk, concurrency.preprocess) }),
        },
        { provide: WorkPlace, useValue: place },
        SpeechEnd,
        { provide: StageMetrics, useValue: new StageMetrics(metrics) },
        stageRunnerProvider(plainLog(logger)),
        AudioSource,
        PreprocessStage,
        ChunkStage,
        AggregationStage,
        StageConsumers,
        Upkeep,
        { provide: OrphanMetrics, useValue: new OrphanMetrics(metrics) },
        WorkBegin,
        WorkEnd,
      ],
    };
  }
}

function chunksAtOnce({ pipeline }: Foundation['config']): number {
  return pipeline.chunkConcurrency ?? availableParallelism();
}

function processorOptions({ config }: Foundation): ProcessorOptions {
  const { pipeline, service, limits, outbound } = config;
  return {
    ...pipeline,
    bodyIdleSeconds: config.api.bodyIdleSeconds,
    bodyBytesPerSecond: config.api.bodyBytesPerSecond,
    concurrency: {
      preprocess: pipeline.preprocessConcurrency,
      chunk: chunksAtOnce(config),
      aggregation: pipeline.aggregationConcurrency,
    },
    shutdownSeconds: service.shutdownSeconds,
    transcriptDays: limits.transcriptDays,
    audioBytes: limits.multipartBytes,
    audioFetchSeconds: outbound.audioFetchSeconds,
  };
}
