import { ApiKeyGuard, AuthModule, RateLimitGuard, RateLimitsModule } from '@app/auth';
import { DatabaseModule } from '@app/database';
import { InstallationModule } from '@app/installation';
import { JobsModule } from '@app/jobs';
import {
  createMetricsRegistry,
  createSealer,
  registerDiskMetrics,
  type BootContext,
  HealthModule,
  buildJobsOptions,
  resolvePublicUrl,
  createStoreErrorCounter,
  buildStorageOptions,
} from '@app/runtime';
import { StorageModule } from '@app/storage';
import { WebhooksModule } from '@app/webhooks';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccountModule } from './account/account.module.js';
import type { ApiOptions } from './api-options.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { JobRoutesModule } from './jobs/job-routes.module.js';
import { createRateLimitOptions } from './rate-limits/rate-limit-options.js';
import { ServiceMetrics } from './metrics/service-metrics.js';
import { OpenAiModule } from './openai/openai.module.js';
import { ApiOptionsModule } from './api-options.module.js';
import { createAdmissionControl } from './admission/admission-control.js';
import { SpeakersModule } from './speakers/speakers.module.js';
import { ObjectsModule } from './storage/objects.module.js';
import { ReferenceModule } from './reference/reference.module.js';
import { PendingUploadCheck } from './storage/pending-upload-check.js';
import { StreamingModule } from './streaming/streaming.module.js';
import { TranscribeModule } from './transcribe/transcribe.module.js';
import { UploadsModule } from './uploads/uploads.module.js';
import type { JsonBodyLimits } from './request-body/read-json-body.js';
import { JsonBodyPipe } from './validation/validate-dto.js';

/** The API: HTTP in, rows and addresses out. */
@Module({})
export class AppModule {
  static forRoot(foundation: BootContext): DynamicModule {
    const { config, databaseUrl } = foundation;
    const metrics = createMetricsRegistry('api');
    registerDiskMetrics(metrics, { data: config.service.dataDir });
    const options = apiOptions(foundation);
    const admission = createAdmissionControl(foundation, metrics);
    const sealer = createSealer(foundation);
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot({
          url: databaseUrl,
          poolSize: config.database.poolSize,
          applicationName: 'zephyr-api',
        }),
        JobsModule.forRoot(buildJobsOptions(foundation)),
        InstallationModule.forRoot({ program: 'api' }),
        StorageModule.forRoot(buildStorageOptions(foundation), createStoreErrorCounter(metrics)),
        AuthModule.forRoot({ hashingKey: foundation.hashingKey }),
        RateLimitsModule.forRoot(createRateLimitOptions(foundation, metrics)),
        ApiOptionsModule.forRoot(options, {
          logger: foundation.logger,
          transcriptUrlKeys: foundation.keys('result-address'),
          metrics,
          admission,
          sealer,
        }),
        WebhooksModule.forRoot({ allow: config.outbound.allow, sealer }),
        HealthModule.forRoot(metrics),
        ObjectsModule.forRoot(
          { corsOrigins: options.corsOrigins, minTransferRate: options.minTransferRate },
          PendingUploadCheck,
        ),
        UploadsModule,
        AccountModule,
        JobRoutesModule,
        SpeakersModule,
        StreamingModule,
        TranscribeModule,
        ReferenceModule,
        OpenAiModule,
      ],
      providers: [
        ServiceMetrics,
        { provide: APP_GUARD, useClass: ApiKeyGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_PIPE, useValue: new JsonBodyPipe(jsonBodyLimits(foundation), admission.json) },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}

function jsonBodyLimits({ config }: BootContext): JsonBodyLimits {
  return { maxBytes: config.api.jsonBodyBytes, timeoutMs: config.api.jsonBodySeconds * 1000 };
}

function apiOptions(foundation: BootContext): ApiOptions {
  const { limits, pipeline, streams, api } = foundation.config;
  return {
    publicUrl: resolvePublicUrl(foundation),
    uploadBytes: limits.uploadBytes,
    uploadSeconds: limits.uploadSeconds,
    streamBytes: limits.streamBytes,
    multipartBytes: limits.multipartBytes,
    multipartSeconds: limits.multipartSeconds,
    downloadSeconds: limits.downloadSeconds,
    deadlineSeconds: pipeline.deadlineSeconds,
    creditsPerSecond: foundation.config.billing.creditsPerSecond,
    minTransferRate: { idleTimeoutMs: api.bodyIdleSeconds * 1000, bytesPerSecond: api.bodyBytesPerSecond },
    streams,
    idempotency: { retentionSeconds: api.idempotencySeconds, leaseSeconds: api.idempotencyLeaseSeconds },
    corsOrigins: api.corsOrigins,
  };
}
