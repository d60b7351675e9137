import {
  buildCardPaymentsProvider,
  CARD_PAYMENTS_TOKEN,
  type CardPayments,
  CreditJobHooks,
} from '@app/billing';
import { resolveModelsFolder, resolveWorkFolder } from '@app/config';
import { DatabaseModule } from '@app/database';
import { InstallationModule } from '@app/installation';
import { combineJobHooks, JOB_HOOKS_TOKEN, QueueAndOutboxModule } from '@app/jobs';
import {
  createMetricsRegistry,
  createEncryptor,
  registerDiskMetrics,
  type BootContext,
  HealthAndMetricsModule,
  JobEndReporter,
  buildQueueAndOutboxModuleOptions,
  toSimpleLogger,
  createStoreErrorRecorder,
  buildStorageOptions,
  buildMailerOptions,
  buildStripeOptions,
  Mailer,
  resolvePublicUrl,
} from '@app/runtime';
import {
  createEngine,
  type EngineChoice,
  createAuxiliaryModelsFromFolder,
  type SandboxProtections,
} from '@app/speech';
import { StorageModule, TranscriptUrlSigner } from '@app/storage';
import { OutboundModule } from '@app/outbound';
import { WebhookJobHooks, WebhooksModule } from '@app/webhooks';
import { type DynamicModule, Logger, Module, type Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AggregationStage } from './aggregation/aggregation.stage.js';
import { TranscriptFileRenderer } from './aggregation/transcript-file-renderer.js';
import { ChunkStage } from './chunk/chunk.stage.js';
import { wrapEngineWithTracing } from './chunk/trace-engine.js';
import { createQueueMessageRecorder, StageMetrics } from './queues/stage-metrics.js';
import { StageConsumers } from './queues/stage-consumers.js';
import { createSharedStageRunnerProvider } from './queues/stage-runner-provider.js';
import {
  AggregationProcessor,
  ChunkProcessor,
  FetchProcessor,
  PreprocessProcessor,
} from './queues/stage-processors.js';
import { FetchStage } from './fetch/fetch.stage.js';
import { StoredJobAudioDownloader } from './preprocess/stored-job-audio-downloader.js';
import { PreprocessStage } from './preprocess/preprocess.stage.js';
import { AUXILIARY_MODELS_TOKEN, SPEECH_ENGINE_TOKEN } from './engine/engine-tokens.js';
import {
  PROCESSOR_OPTIONS_TOKEN,
  type ProcessorOptions,
  buildProcessorOptions,
} from './processor-options.js';
import { buildStageHandOverProviders } from './hand-over/stage-hand-over.providers.js';
import {
  EngineAndModelsCloser,
  QueueAndWebhookWorkStarter,
  QueueAndWebhookWorkStopper,
} from './work-lifecycle.js';
import { OrphanMetrics } from './maintenance/orphan-metrics.js';
import { BillingNoticeMailer } from './maintenance/billing-notice-mailer.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';
import { recordWebhookResultInSpan, traceWebhookAttempt } from './webhooks/trace-webhook-attempt.js';
import { createWebhookAttemptRecorder } from './webhooks/webhook-attempt-metrics.js';
import {
  WEBHOOK_DISPATCH_OPTIONS_TOKEN,
  type WebhookDispatchOptions,
  WebhookDispatchService,
} from './webhooks/webhook-dispatch.service.js';
import { ScratchDirectory } from './scratch/scratch-directory.js';
import { registerSandboxMetric } from './media-sandbox.js';
import { registerEngineInfoMetric } from './engine/engine-info-metric.js';

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
    const recordWebhookAttempt = createWebhookAttemptRecorder(metrics);
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
        QueueAndOutboxModule.forRoot(buildQueueAndOutboxModuleOptions(context, recordMessage)),
        InstallationModule.forRoot({ program: 'processor' }),
        StorageModule.forRoot(buildStorageOptions(context), createStoreErrorRecorder(metrics)),
        OutboundModule.forRoot(config.outbound),
        WebhooksModule.forRoot(createEncryptor(context)),
        HealthAndMetricsModule.forRoot(metrics, context),
      ],
      providers: [
        { provide: PROCESSOR_OPTIONS_TOKEN, useValue: buildProcessorOptions(context, engineChoice) },
        {
          provide: JOB_HOOKS_TOKEN,
          useValue: combineJobHooks(
            new WebhookJobHooks(),
            // After the webhooks, because it locks the account until the commit.
            new CreditJobHooks(config.billing.creditsPerSecond),
            new JobEndReporter(logger, metrics),
          ),
        },
        {
          provide: SPEECH_ENGINE_TOKEN,
          useFactory: async () => {
            const engine = createEngine(engineChoice, {
              ...config.speech,
              onWarning: (message, error) => new Logger('Engine').warn(`${message} ${String(error)}`),
            });
            const identity = await engine.identity();
            registerEngineInfoMetric(metrics, identity);
            return wrapEngineWithTracing(engine, identity.name);
          },
        },
        {
          provide: AUXILIARY_MODELS_TOKEN,
          inject: [PROCESSOR_OPTIONS_TOKEN],
          useFactory: ({ concurrency }: ProcessorOptions) =>
            createAuxiliaryModelsFromFolder(resolveModelsFolder(config), {
              hosts: Math.max(concurrency.chunk, concurrency.preprocess),
            }),
        },
        { provide: ScratchDirectory, useValue: scratchDirectory },
        EngineAndModelsCloser,
        { provide: StageMetrics, useValue: new StageMetrics(metrics) },
        createSharedStageRunnerProvider(toSimpleLogger(logger)),
        FetchStage,
        StoredJobAudioDownloader,
        PreprocessStage,
        ChunkStage,
        TranscriptFileRenderer,
        AggregationStage,
        ...buildStageHandOverProviders(recordMessage),
        FetchProcessor,
        PreprocessProcessor,
        ChunkProcessor,
        AggregationProcessor,
        StageConsumers,
        {
          provide: WEBHOOK_DISPATCH_OPTIONS_TOKEN,
          useValue: {
            concurrency: config.outbound.webhookConcurrency,
            backoffSeconds: config.outbound.webhookBackoffSeconds,
            downloadSeconds: config.limits.downloadSeconds,
            logger: toSimpleLogger(logger),
            onAttempt: (...result) => {
              recordWebhookAttempt(...result);
              recordWebhookResultInSpan(...result);
            },
            wrapAttempt: traceWebhookAttempt,
          } satisfies WebhookDispatchOptions,
        },
        {
          provide: TranscriptUrlSigner,
          useValue: new TranscriptUrlSigner({
            publicUrl: resolvePublicUrl(context),
            keys: context.deriveKeys('result-address'),
          }),
        },
        WebhookDispatchService,
        buildCardPaymentsProvider(buildStripeOptions(context)),
        billingNoticesProvider(context),
        MaintenanceService,
        { provide: OrphanMetrics, useValue: new OrphanMetrics(metrics) },
        QueueAndWebhookWorkStarter,
        QueueAndWebhookWorkStopper,
      ],
    };
  }
}

function billingNoticesProvider(context: BootContext): Provider {
  const options = buildMailerOptions(context);
  return {
    provide: BillingNoticeMailer,
    useFactory: (dataSource: DataSource, cards: CardPayments | null) =>
      options &&
      new BillingNoticeMailer(dataSource, new Mailer(options), resolvePublicUrl(context), cards !== null),
    inject: [DataSource, CARD_PAYMENTS_TOKEN],
  };
}
