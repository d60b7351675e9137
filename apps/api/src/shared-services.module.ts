import {
  CARD_PAYMENTS,
  CardPayments,
  CreditHooks,
  CreditCheck,
  ManualPayments,
  type StripeOptions,
} from '@app/billing';
import { Encryptor } from '@app/database';
import { combineJobHooks, JOB_HOOKS } from '@app/jobs';
import { JobEndReporter, METRICS_REGISTRY, TranscriptUrlSigner } from '@app/runtime';
import { WebhookJobHooks } from '@app/webhooks';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import type { Logger as PinoLogger } from 'pino';
import type { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { API_OPTIONS, type ApiOptions } from './api-options.js';
import { Mailer } from '@app/runtime';
import { QuotaCheck } from './quotas/quota-check.js';
import { DiskReserve } from './admission/disk-reserve.js';
import { AdmissionControl } from './admission/admission-control.js';

export interface SharedServices {
  logger: PinoLogger;
  /** 32 bytes each: the first one signs transcript URLs, all of them verify. */
  transcriptUrlKeys: readonly [Buffer, ...Buffer[]];
  metrics: Registry;
  admission: AdmissionControl;
  encryptor: Encryptor;
  mailer: Mailer;
  /** Null: the operator collects payments. */
  stripe: StripeOptions | null;
}

@Module({})
export class SharedServicesModule {
  static forRoot(
    options: ApiOptions,
    { logger, transcriptUrlKeys, metrics, admission, encryptor, mailer, stripe }: SharedServices,
  ): DynamicModule {
    const providers = [
      { provide: API_OPTIONS, useValue: options },
      { provide: METRICS_REGISTRY, useValue: metrics },
      { provide: AdmissionControl, useValue: admission },
      { provide: Encryptor, useValue: encryptor },
      { provide: QuotaCheck, useClass: QuotaCheck },
      { provide: DiskReserve, useValue: new DiskReserve(options.diskReserve) },
      { provide: Mailer, useValue: mailer },
      {
        provide: TranscriptUrlSigner,
        useValue: new TranscriptUrlSigner({ publicUrl: options.publicUrl, keys: transcriptUrlKeys }),
      },
      {
        provide: JOB_HOOKS,
        useValue: combineJobHooks(
          new WebhookJobHooks(),
          new CreditHooks(options.creditsPerSecond),
          new JobEndReporter(logger, metrics),
        ),
      },
      {
        provide: CARD_PAYMENTS,
        useFactory: (dataSource: DataSource) =>
          stripe && new CardPayments(dataSource, stripe, new Logger(CardPayments.name)),
        inject: [DataSource],
      },
      {
        provide: CreditCheck,
        useFactory: (dataSource: DataSource, cards: CardPayments | null) =>
          new CreditCheck(dataSource, {
            creditsPerSecond: options.creditsPerSecond,
            payments: cards?.port ?? new ManualPayments(),
            logger: new Logger(CreditCheck.name),
          }),
        inject: [DataSource, CARD_PAYMENTS],
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
