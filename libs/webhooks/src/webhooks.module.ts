import type { Encryptor } from '@app/database';
import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountWebhookDeliveryService } from './deliveries/account-webhook-delivery.service.js';
import { WebhookBodyEncryptor } from './deliveries/webhook-body-encryptor.js';
import { WebhookEndpointService } from './endpoints/webhook-endpoint.service.js';
import { WebhookSigningSecretService } from './signing/webhook-signing-secret.service.js';

@Module({})
export class WebhooksModule {
  /** @param encryptor of signing secrets and webhook bodies */
  static forRoot(encryptor: Encryptor): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      providers: [
        {
          provide: WebhookSigningSecretService,
          useFactory: (dataSource: DataSource) => new WebhookSigningSecretService(dataSource, encryptor),
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
