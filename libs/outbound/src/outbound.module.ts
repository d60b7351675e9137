import { type DynamicModule, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { OutboundClient } from './outbound-client.js';
import { OutboundGuard, type OutboundGuardOptions } from './outbound-guard.js';

@Module({})
export class OutboundModule implements OnApplicationShutdown {
  constructor(private readonly client: OutboundClient) {}

  static forRoot({ allow, deny }: Pick<OutboundGuardOptions, 'allow' | 'deny'>): DynamicModule {
    const logger = new Logger(OutboundGuard.name);
    // Callers read only that the address is not reachable: the setting is the operator's.
    const onRefused = (host: string) =>
      logger.warn({ host, setting: 'OUTBOUND_ALLOW' }, 'an address was refused, because it is not public');
    const onNameServersSilent = (host: string) =>
      logger.warn({ host }, 'an address could not be looked up, because no name server responds');
    const guard = new OutboundGuard({ allow, deny, onRefused, onNameServersSilent });
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
