import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { StageConsumers } from './queues/stage-consumers.js';
import { Upkeep } from './upkeep/upkeep.service.js';
import { WebhookDispatch } from './webhooks/webhook-dispatch.service.js';

/**
 * Ends all that takes up work, at once: a chunk and a receiver may each need most of the time there is, and Nest would
 * end one module after the other. The relay and the connections go on until that is done.
 */
@Injectable()
export class WorkEnd implements OnModuleDestroy {
  constructor(
    @Inject(StageConsumers) private readonly consumers: Pick<StageConsumers, 'close'>,
    @Inject(Upkeep) private readonly upkeep: Pick<Upkeep, 'stop'>,
    @Inject(WebhookDispatch) private readonly dispatch: Pick<WebhookDispatch, 'stop'>,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.consumers.close(), this.upkeep.stop(), this.dispatch.stop()]);
  }
}
