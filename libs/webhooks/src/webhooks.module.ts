import { type Encryptor, WebhookDelivery } from '@app/database';
import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { WebhookDeliveries } from './deliveries/webhook-deliveries.js';
import { SealedWebhookBodies } from './deliveries/sealed-webhook-bodies.js';
import { OutboundClient } from './outbound/outbound-client.js';
import { OutboundGuard } from './outbound/outbound-guard.js';
import { SigningSecrets } from './signing/signing-secrets.js';

export interface WebhooksOptions {
  /** Targets that are admitted though they are not public. */
  allow: readonly string[];
  /** Of signing secrets and texts of notifications. */
  sealer: Encryptor;
}

/** Outbound requests, signing secrets and deliveries, for every module of the process. */
@Module({})
export class WebhooksModule implements OnApplicationShutdown {
  constructor(private readonly client: OutboundClient) {}

  static forRoot({ allow, sealer }: WebhooksOptions): DynamicModule {
    return {
      module: WebhooksModule,
      global: true,
      imports: [TypeOrmModule.forFeature([WebhookDelivery])],
      providers: [
        { provide: OutboundGuard, useFactory: () => new OutboundGuard({ allow }) },
        {
          provide: OutboundClient,
          useFactory: (guard: OutboundGuard) => new OutboundClient(guard),
          inject: [OutboundGuard],
        },
        {
          provide: SigningSecrets,
          useFactory: (dataSource: DataSource) => new SigningSecrets(dataSource, sealer),
          inject: [DataSource],
        },
        {
          provide: SealedWebhookBodies,
          useFactory: (dataSource: DataSource) => new SealedWebhookBodies(dataSource, sealer),
          inject: [DataSource],
        },
        WebhookDeliveries,
      ],
      exports: [OutboundGuard, OutboundClient, SigningSecrets, SealedWebhookBodies, WebhookDeliveries],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
