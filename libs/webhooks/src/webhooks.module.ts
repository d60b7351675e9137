import type { Encryptor } from '@app/database';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountWebhookDeliveryService } from './deliveries/account-webhook-delivery.service.js';
import { WebhookBodyEncryptor } from './deliveries/webhook-body-encryptor.js';
import { WebhookEndpointService } from './endpoints/webhook-endpoint.service.js';
import { WebhookSigningSecretService } from './signing/webhook-signing-secret.service.js';

@Module({})
export class WebhooksModule {
  /** @param encryptor of signing secrets and webhook bodies */
  static forRoot(encryptor: Encryptor): DynamicModule {
    const nestLogger = new Logger(WebhookSigningSecretService.name);
    const logger = {
      warn: (message: string, context?: object) => nestLogger.warn({ ...context }, message),
    };
    return {
      module: WebhooksModule,
      global: true,
      providers: [
        {
          provide: WebhookSigningSecretService,
          useFactory: (dataSource: DataSource) =>
            new WebhookSigningSecretService(dataSource, encryptor, logger),
          inject: [DataSource],
        },
        {
          provide: WebhookBodyEncryptor,
          useFactory: (dataSource: DataSource) => new WebhookBodyEncryptor(dataSource, encryptor),
          inject: [DataSource],
        },
        WebhookEndpointService,
        AccountWebhookDeliveryService,
      ],
      exports: [
        WebhookSigningSecretService,
        WebhookBodyEncryptor,
        WebhookEndpointService,
        AccountWebhookDeliveryService,
      ],
    };
  }
}
