import {
  buildCardPaymentsProvider,
  CARD_PAYMENTS_TOKEN,
  type CardPayments,
  CreditJobHooks,
  CreditCheckWithRecharge,
  OperatorSettledPaymentPort,
  type StripeOptions,
} from '@app/billing';
import { Encryptor } from '@app/database';
import { combineJobHooks, JOB_HOOKS_TOKEN } from '@app/jobs';
import { JobEndReporter, METRICS_REGISTRY_TOKEN } from '@app/runtime';
import { WebhookJobHooks } from '@app/webhooks';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import type { Logger as PinoLogger } from 'pino';
import type { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from './api-options.js';
import { Mailer } from '@app/runtime';
import { OBJECT_STORE_TOKEN, type ObjectStore, TranscriptUrlSigner } from '@app/storage';
import { QuotaCheck } from './quotas/quota-check.js';
import { FreeDiskSpaceCheck } from './admission/free-disk-space-check.js';
import { RequestConcurrencyLimiters } from './admission/request-concurrency-limiters.js';

export interface SharedServiceDependencies {
  logger: PinoLogger;
  /** 32 bytes each: the first one signs transcript URLs, all of them verify. */
  transcriptUrlKeys: readonly [Buffer, ...Buffer[]];
  metrics: Registry;
  admission: RequestConcurrencyLimiters;
  encryptor: Encryptor;
  mailer: Mailer;
  /** Null: the operator collects payments. */
  stripe: StripeOptions | null;
}

@Module({})
export class SharedServicesModule {
  static forRoot(
    options: ApiOptions,
    { logger, transcriptUrlKeys, metrics, admission, encryptor, mailer, stripe }: SharedServiceDependencies,
  ): DynamicModule {
    const providers = [
      { provide: API_OPTIONS_TOKEN, useValue: options },
      { provide: METRICS_REGISTRY_TOKEN, useValue: metrics },
      { provide: RequestConcurrencyLimiters, useValue: admission },
      { provide: Encryptor, useValue: encryptor },
      { provide: QuotaCheck, useClass: QuotaCheck },
      {
        provide: FreeDiskSpaceCheck,
        useFactory: ({ kind, location }: ObjectStore) =>
          new FreeDiskSpaceCheck({
            folder: kind === 'files' ? location : null,
            bytes: options.diskReserveBytes,
          }),
        inject: [OBJECT_STORE_TOKEN],
      },
      { provide: Mailer, useValue: mailer },
      {
        provide: TranscriptUrlSigner,
        useValue: new TranscriptUrlSigner({ publicUrl: options.publicUrl, keys: transcriptUrlKeys }),
      },
      {
        provide: JOB_HOOKS_TOKEN,
        useValue: combineJobHooks(
          new WebhookJobHooks(),
          new CreditJobHooks(options.creditsPerSecond),
          new JobEndReporter(logger, metrics),
        ),
      },
      buildCardPaymentsProvider(stripe),
      {
        provide: CreditCheckWithRecharge,
        useFactory: (dataSource: DataSource, cards: CardPayments | null) =>
          new CreditCheckWithRecharge(dataSource, {
            creditsPerSecond: options.creditsPerSecond,
            payments: cards?.port ?? new OperatorSettledPaymentPort(),
            logger: new Logger(CreditCheckWithRecharge.name),
          }),
        inject: [DataSource, CARD_PAYMENTS_TOKEN],
      },
    ];
    return {
      module: SharedServicesModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
