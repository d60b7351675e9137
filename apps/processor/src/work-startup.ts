import { StoreIdentityVerifier } from '@app/installation';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { StageConsumers } from './queues/stage-consumers.js';
import { MaintenanceService } from './maintenance/maintenance.service.js';

/**
 * Starts the work when database and object store are known to belong together: at once, or when a store that was
 * unavailable at startup answers.
 */
@Injectable()
export class WorkStartup implements OnApplicationBootstrap {
  private readonly logger = new Logger(WorkStartup.name);

  constructor(
    @Inject(StoreIdentityVerifier)
    private readonly agreement: Pick<StoreIdentityVerifier, 'isConfirmed' | 'confirmed'>,
    @Inject(StageConsumers) private readonly consumers: Pick<StageConsumers, 'start'>,
    @Inject(MaintenanceService) private readonly maintenance: Pick<MaintenanceService, 'start'>,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.agreement.isConfirmed) return this.begin();
    this.logger.warn('waiting for the object store before anything is consumed');
    void this.agreement.confirmed.then(() => this.begin());
  }

  private async begin(): Promise<void> {
    await this.consumers.start();
    this.maintenance.start();
  }
}
