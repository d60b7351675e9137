import { StoreOwnershipService } from '@app/installation';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { AuxiliaryModels, SpeechEngine } from '@app/speech';
import { StageConsumers } from './queues/stage-consumers.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';
import { WebhookDispatchService } from './webhooks/webhook-dispatch.service.js';
import { AUXILIARY_MODELS_TOKEN, SPEECH_ENGINE_TOKEN } from './engine/engine-tokens.js';

/** Starts work, webhooks included, once database and object store are known to belong together. */
@Injectable()
export class QueueAndWebhookWorkStarter implements OnApplicationBootstrap {
  /** Resolves when stages are consumed. */
  readonly started: Promise<void>;
  private readonly logger = new Logger(QueueAndWebhookWorkStarter.name);
  private resolveStarted: () => void = () => undefined;

  constructor(
    @Inject(StoreOwnershipService)
    private readonly storeOwnership: Pick<StoreOwnershipService, 'isConfirmed' | 'confirmed'>,
    @Inject(StageConsumers) private readonly consumers: Pick<StageConsumers, 'start'>,
    @Inject(MaintenanceService) private readonly maintenance: Pick<MaintenanceService, 'start'>,
    @Inject(WebhookDispatchService) private readonly dispatch: Pick<WebhookDispatchService, 'start'>,
  ) {
    this.started = new Promise((resolve) => (this.resolveStarted = resolve));
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.storeOwnership.isConfirmed) return this.begin();
    this.logger.warn('waiting for the object store before anything is consumed or sent');
    void this.storeOwnership.confirmed.then(() => this.begin());
  }

  private async begin(): Promise<void> {
    this.dispatch.start();
    await this.consumers.start();
    this.maintenance.start();
    this.resolveStarted();
  }
}

/**
 * Stops in parallel: a chunk and a webhook receiver may each need most of the available time, and Nest would stop one
 * module after the other. Relay and connections continue until then.
 */
@Injectable()
export class QueueAndWebhookWorkStopper implements OnModuleDestroy {
  constructor(
    @Inject(StageConsumers) private readonly consumers: Pick<StageConsumers, 'close'>,
    @Inject(MaintenanceService) private readonly maintenance: Pick<MaintenanceService, 'stop'>,
    @Inject(WebhookDispatchService) private readonly dispatch: Pick<WebhookDispatchService, 'stop'>,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.consumers.close(), this.maintenance.stop(), this.dispatch.stop()]);
  }
}

/** Runs after the last stage. */
@Injectable()
export class EngineAndModelsCloser implements OnApplicationShutdown {
  constructor(
    @Inject(SPEECH_ENGINE_TOKEN) private readonly engine: SpeechEngine,
    @Inject(AUXILIARY_MODELS_TOKEN) private readonly auxiliaryModels: AuxiliaryModels,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.engine.close(), this.auxiliaryModels.close()]);
  }
}
