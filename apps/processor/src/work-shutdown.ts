import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { StageConsumers } from './queues/stage-consumers.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';
import { WebhookDispatchService } from './webhooks/webhook-dispatch.service.js';

/**
 * Ends all that takes up work, at once: a chunk and a receiver may each need most of the time there is, and Nest would
 * end one module after the other. The relay and the connections go on until that is done.
 */
@Injectable()
export class WorkShutdown implements OnModuleDestroy {
  constructor(
    @Inject(StageConsumers) private readonly consumers: Pick<StageConsumers, 'close'>,
    @Inject(MaintenanceService) private readonly maintenance: Pick<MaintenanceService, 'stop'>,
    @Inject(WebhookDispatchService) private readonly dispatch: Pick<WebhookDispatchService, 'stop'>,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.consumers.close(), this.maintenance.stop(), this.dispatch.stop()]);
  }
}
