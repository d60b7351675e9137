import { ApiKeyGuard, ApiKeysModule, PeopleModule, RateLimitGuard, RateLimitsModule } from '@app/auth';
import { resolveRequireTwoFactors } from '@app/config';
import { DatabaseModule } from '@app/database';
import { InstallationModule } from '@app/installation';
import { QueueAndOutboxModule } from '@app/jobs';
import {
  createMetricsRegistry,
  createEncryptor,
  registerDiskMetrics,
  type BootContext,
  HealthAndMetricsModule,
  buildQueueAndOutboxModuleOptions,
  resolvePublicUrl,
  createStoreErrorRecorder,
  buildStorageOptions,
  buildMailerOptions,
  buildStripeOptions,
  Mailer,
} from '@app/runtime';
import { StorageModule } from '@app/storage';
import { OutboundModule } from '@app/outbound';
import { WebhooksModule } from '@app/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccountModule } from './account/account.module.js';
import type { ApiOptions } from './api-options.js';
import { ConsoleModule } from './console/console.module.js';
import { ErrorResponseFilter } from './errors/error-response.filter.js';
import { buildPasskeyAndOidcOptions } from './console/sign-in/sign-in-options.js';
import { JobRoutesModule } from './jobs/job-routes.module.js';
import { createRateLimitOptions } from './admission/rate-limit-options.js';
import { ApiMetrics } from './metrics/api-metrics.js';
import { SharedServicesModule } from './shared-services.module.js';
import { createRequestConcurrencyLimiters } from './admission/request-concurrency-limiters.js';
import { ObjectsModule } from './objects/objects.module.js';
import { ReferenceModule } from './reference/reference.module.js';
import { UploadStillPendingCheck } from './objects/upload-still-pending-check.js';
import { StripeWebhookModule } from './payments/stripe-webhook.module.js';
import { JobStreamModule } from './streaming/job-stream.module.js';
import { TranscribeModule } from './transcribe/transcribe.module.js';
import { UploadsModule } from './uploads/uploads.module.js';
import { JsonBodyValidationPipe } from './request-body/json-body-validation.pipe.js';
import type { JsonBodyLimits } from './request-body/read-json-body.js';

@Module({})
export class AppModule {
  static forRoot(context: BootContext): DynamicModule {
    const { config, databaseUrl } = context;
    const metrics = createMetricsRegistry('api');
    registerDiskMetrics(metrics, { data: config.service.dataDir });
    const options = buildApiOptions(context);
    const admission = createRequestConcurrencyLimiters(context, metrics);
    const encryptor = createEncryptor(context);
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: databaseUrl,
          poolSize: config.database.poolSize,
          applicationName: 'zephyr-api',
        }),
        QueueAndOutboxModule.forRoot(buildQueueAndOutboxModuleOptions(context)),
        InstallationModule.forRoot({ program: 'api' }),
        StorageModule.forRoot(buildStorageOptions(context), createStoreErrorRecorder(metrics)),
        ApiKeysModule.forRoot({ hashingKey: context.hashingKey }),
        RateLimitsModule.forRoot(createRateLimitOptions(context, metrics)),
        PeopleModule.forRoot({
          sessions: { ...config.sessions, requiresTwoFactors: options.requiresTwoFactors },
          attemptsPerAddress: config.sessions.attemptsPerAddress,
          breachedPasswordsFile: config.sessions.breachedPasswordsFile ?? null,
          encryptor,
          hashingKey: context.hashingKey,
          ...buildPasskeyAndOidcOptions(context),
        }),
        SharedServicesModule.forRoot(options, {
          logger: context.logger,
          transcriptUrlKeys: context.deriveKeys('result-address'),
          metrics,
          admission,
          encryptor,
          mailer: new Mailer(buildMailerOptions(context)),
          stripe: buildStripeOptions(context),
        }),
        OutboundModule.forRoot(config.outbound),
        WebhooksModule.forRoot(encryptor),
        HealthAndMetricsModule.forRoot(metrics, context),
        ObjectsModule.forRoot(
          { corsOrigins: options.corsOrigins, minTransferRate: options.minTransferRate },
          UploadStillPendingCheck,
        ),
        UploadsModule,
        AccountModule,
        JobRoutesModule,
        JobStreamModule,
        TranscribeModule,
        StripeWebhookModule,
        ReferenceModule,
        ConsoleModule,
      ],
      providers: [
        ApiMetrics,
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        {
          provide: APP_PIPE,
          useValue: new JsonBodyValidationPipe(toJsonBodyLimits(context), admission),
        },
        { provide: APP_FILTER, useClass: ErrorResponseFilter },
      ],
    };
  }
}

function toJsonBodyLimits({ config }: BootContext): JsonBodyLimits {
  return { maxBytes: config.api.jsonBodyBytes, timeoutMs: config.api.jsonBodySeconds * 1000 };
}

function buildApiOptions(context: BootContext): ApiOptions {
  const { limits, quotas, storage, pipeline, streams, api } = context.config;
  return {
    publicUrl: resolvePublicUrl(context),
    uploadBytes: limits.uploadBytes,
    uploadSeconds: limits.uploadSeconds,
    uploadLifetimeSeconds: limits.uploadLifetimeSeconds,
    quotas,
    diskReserveBytes: storage.diskReserveBytes,
    audioBodyBytes: limits.audioBodyBytes,
    multipartBytes: limits.multipartBytes,
    multipartSeconds: limits.multipartSeconds,
    downloadSeconds: limits.downloadSeconds,
    deadlineSeconds: pipeline.deadlineSeconds,
    leaseSeconds: pipeline.leaseSeconds,
    transcriptDays: limits.transcriptDays,
    creditsPerSecond: context.config.billing.creditsPerSecond,
    minTransferRate: { idleTimeoutMs: api.bodyIdleSeconds * 1000, bytesPerSecond: api.bodyBytesPerSecond },
    streams,
    idempotency: { retentionSeconds: api.idempotencySeconds, leaseSeconds: api.idempotencyLeaseSeconds },
    corsOrigins: api.corsOrigins,
    requiresTwoFactors: resolveRequireTwoFactors(context.config),
  };
}
