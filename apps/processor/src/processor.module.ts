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
  buildMailOptions,
  buildStripeOptions,
  Mailer,
  resolvePublicUrl,
} from '@app/runtime';
import { createEngine, type EngineChoice, loadAuxiliaryModels, type SandboxProtections } from '@app/speech';
import { StorageModule } from '@app/storage';
import { OutboundModule } from '@app/outbound';
import { WebhookJobHooks, WebhooksModule } from '@app/webhooks';
import { type DynamicModule, Logger, Module, type Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AggregationStage } from './aggregation/aggregation.stage.js';
import { TranscriptFileRenderer } from './aggregation/transcript-file-renderer.js';
import { ChunkSlots } from './chunk/chunk-slots.js';
import { ChunkStage } from './chunk/chunk.stage.js';
import { traceEngine } from './chunk/trace-engine.js';
import { createQueueMessageRecorder, StageMetrics } from './queues/stage-metrics.js';
import { StageConsumers } from './queues/stage-consumers.js';
import {
  AggregationProcessor,
  ChunkProcessor,
  FetchProcessor,
  PreprocessProcessor,
} from './queues/stage-processors.js';
import { FetchStage } from './fetch/fetch.stage.js';
import { AudioSource } from './preprocess/audio-source.js';
import { PreprocessStage } from './preprocess/preprocess.stage.js';
import {
  PROCESSOR_OPTIONS,
  type ProcessorOptions,
  AUXILIARY_MODELS,
  SPEECH_ENGINE,
} from './processor-options.js';
import { ShortRecordings } from './short-recordings/short-recordings.js';
import { SpeechShutdown, WorkStartup, WorkShutdown } from './work-lifecycle.js';
import { OrphanMetrics } from './maintenance/orphan-metrics.js';
import { BillingNotices } from './maintenance/billing-notices.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';
import { traceWebhookAttempt } from './webhooks/trace-webhook-attempt.js';
import { createWebhookAttemptRecorder } from './webhooks/webhook-attempt-metrics.js';
import {
  WEBHOOK_DISPATCH_OPTIONS,
  type WebhookDispatchOptions,
  WebhookDispatchService,
} from './webhooks/webhook-dispatch.service.js';
import { ScratchDirectory } from './scratch-directory.js';
import { registerSandboxMetric } from './media-sandbox.js';
import { registerEngineInfo } from './engine-info-metric.js';

@Module({})
export class ProcessorModule {
  static forRoot(
    context: BootContext,
    scratchDirectory: ScratchDirectory,
    engineChoice: EngineChoice,
    protections: SandboxProtections,
  ): DynamicModule {
    const { config, databaseUrl, logger } = context;
    const metrics = createMetricsRegistry('processor');
    const recordMessage = createQueueMessageRecorder(metrics);
    registerSandboxMetric(metrics, protections);
    registerDiskMetrics(metrics, { data: config.service.dataDir, work: resolveWorkFolder(config) });
    return {
      module: ProcessorModule,
      imports: [
        DatabaseModule.forRoot({
          url: databaseUrl,
          poolSize: config.database.poolSize,
          applicationName: 'zephyr-processor',
        }),
        JobsModule.forRoot(buildJobsOptions(context, recordMessage)),
        InstallationModule.forRoot({ program: 'processor' }),
        StorageModule.forRoot(buildStorageOptions(context), createStoreErrorCounter(metrics)),
        OutboundModule.forRoot(config.outbound),
        WebhooksModule.forRoot(createEncryptor(context)),
        HealthAndMetricsModule.forRoot(metrics),
      ],
      providers: [
        { provide: PROCESSOR_OPTIONS, useValue: buildProcessorOptions(context, engineChoice) },
        {
          provide: JOB_HOOKS,
          useValue: combineJobHooks(
            new WebhookJobHooks(),
            // After the webhooks, because it locks the account until the commit.
            new CreditHooks(config.billing.creditsPerSecond),
            new JobEndReporter(logger, metrics),
          ),
        },
        {
          provide: SPEECH_ENGINE,
          useFactory: async () => {
            const engine = createEngine(engineChoice, {
              ...config.speech,
              onWarning: (message, error) => new Logger('Engine').warn(`${message} ${String(error)}`),
            });
            const identity = await engine.identity();
            registerEngineInfo(metrics, identity);
            return traceEngine(engine, identity.name);
          },
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
        FetchStage,
        AudioSource,
        PreprocessStage,
        ChunkStage,
        TranscriptFileRenderer,
        AggregationStage,
        {
          provide: ChunkSlots,
          inject: [PROCESSOR_OPTIONS],
          useFactory: ({ concurrency }: ProcessorOptions) => new ChunkSlots(concurrency.chunk),
        },
        {
          provide: ShortRecordings,
          inject: [StageRunner, ChunkStage, AggregationStage, ChunkSlots, JOB_HOOKS],
          useFactory: (
            runner: StageRunner,
            chunk: ChunkStage,
            aggregation: AggregationStage,
            slots: ChunkSlots,
            hooks: JobHooks,
          ) => new ShortRecordings({ runner, chunk, aggregation, slots, hooks, report: recordMessage }),
        },
        FetchProcessor,
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
            traceAttempt: traceWebhookAttempt,
          } satisfies WebhookDispatchOptions,
        },
        WebhookDispatchService,
        cardPaymentsProvider(context),
        billingNoticesProvider(context),
        MaintenanceService,
        { provide: OrphanMetrics, useValue: new OrphanMetrics(metrics) },
        WorkStartup,
        WorkShutdown,
      ],
    };
  }
}

function buildProcessorOptions(
  { config }: BootContext,
  { concurrentChunks }: EngineChoice,
): ProcessorOptions {
  const { pipeline, service, limits, outbound } = config;
  return {
    ...pipeline,
    bodyIdleSeconds: config.api.bodyIdleSeconds,
    bodyBytesPerSecond: config.api.bodyBytesPerSecond,
    concurrency: {
      fetch: pipeline.fetchConcurrency,
      preprocess: pipeline.preprocessConcurrency,
      chunk: concurrentChunks.count,
      aggregation: pipeline.aggregationConcurrency,
    },
    shutdownSeconds: service.shutdownSeconds,
    transcriptDays: limits.transcriptDays,
    jobDays: limits.jobDays,
    jobDetailDays: limits.jobDetailDays,
    paymentReconcileSeconds: config.payments.reconcileSeconds,
    webhookAttemptDays: config.outbound.webhookAttemptDays,
    audioBytes: limits.multipartBytes,
    audioFetchSeconds: outbound.audioFetchSeconds,
    audioFetchBytesPerSecond: outbound.audioFetchBytesPerSecond,
    audioFetchesPerAccount: outbound.audioFetchesPerAccount,
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

function billingNoticesProvider(context: BootContext): Provider {
  const options = buildMailOptions(context);
  return {
    provide: BillingNotices,
    useFactory: (dataSource: DataSource) =>
      options && new BillingNotices(dataSource, new Mailer(options), resolvePublicUrl(context)),
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
        maxRunningPerAccount: { fetch: options.audioFetchesPerAccount },
        maxAttempts: options.maxAttempts,
        retryDelaySeconds: RETRY_DELAY_SECONDS,
        logger,
        onAttemptFailed: (...failure) => metrics.recordAttemptFailure(...failure),
        onCommitted: (messages) => relay.send(messages),
      }),
  };
}
