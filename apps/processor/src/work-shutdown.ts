import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { StageConsumers } from './queues/stage-consumers.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';
import { WebhookDispatchService } from './webhooks/webhook-dispatch.service.js';

/**
 * Stops everything that starts work, in parallel: a chunk and a webhook receiver may each need most of the
 * available time, and Nest would stop one module after the other. Relay and connections continue until then.
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
