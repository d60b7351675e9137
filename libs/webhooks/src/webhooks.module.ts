import { type Encryptor, WebhookDelivery } from '@app/database';
import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DeliveryLog } from './deliveries/delivery-log.js';
import { WebhookDeliveryService } from './deliveries/webhook-delivery.service.js';
import { EncryptedWebhookBodies } from './deliveries/encrypted-webhook-bodies.js';
import { WebhookEndpoints } from './endpoints/webhook-endpoints.js';
import { SigningSecrets } from './signing/signing-secrets.js';

@Module({})
export class WebhooksModule {
  /** @param encryptor of signing secrets and webhook bodies */
  static forRoot(encryptor: Encryptor): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      imports: [TypeOrmModule.forFeature([WebhookDelivery])],
      providers: [
        {
          provide: SigningSecrets,
          useFactory: (dataSource: DataSource) => new SigningSecrets(dataSource, encryptor),
          inject: [DataSource],
        },
        {
          provide: EncryptedWebhookBodies,
          useFactory: (dataSource: DataSource) => new EncryptedWebhookBodies(dataSource, encryptor),
          inject: [DataSource],
        },
        WebhookDeliveryService,
        WebhookEndpoints,
        DeliveryLog,
      ],
      exports: [
        SigningSecrets,
        EncryptedWebhookBodies,
        WebhookDeliveryService,
        WebhookEndpoints,
        DeliveryLog,
      ],
    };
  }
}
