import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { OutboundClient } from './outbound-client.js';
import { OutboundGuard } from './outbound-guard.js';

@Module({})
export class OutboundModule implements OnApplicationShutdown {
  constructor(private readonly client: OutboundClient) {}

  /**
   * @param allowedTargets IP addresses, CIDRs and host names that are permitted although they are not public
   */
  static forRoot(allowedTargets: readonly string[]): DynamicModule {
    const guard = new OutboundGuard({ allow: allowedTargets });
    return {
      module: OutboundModule,
      global: true,
      providers: [
        { provide: OutboundGuard, useValue: guard },
        { provide: OutboundClient, useFactory: () => new OutboundClient(guard) },
      ],
      exports: [OutboundGuard, OutboundClient],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
