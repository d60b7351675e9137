import type { DataSource } from 'typeorm';
import { type ClaimedStage, renewLease } from '../stages/stage-claim.repository.js';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import { retryWhileDatabaseUnavailable } from './retry-while-database-unavailable.js';

/**
 * Renews a lease while the work runs, and aborts `signal` with LeaseLostError if another worker has the
 * stage. Retries while the database is unavailable; the fence protects the rows meanwhile.
 */
export class LeaseRenewer {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly stopped = new AbortController();
  private isWaitingForDatabase = false;
  readonly signal = this.controller.signal;

  constructor(
    private readonly dataSource: DataSource,
    private readonly stage: ClaimedStage,
    private readonly leaseSeconds: number,
  ) {
    this.timer = setInterval(() => void this.renew(), (leaseSeconds * 1000) / 3);
  }

  stop(): void {
    clearInterval(this.timer);
    this.stopped.abort();
  }

  private async renew(): Promise<void> {
    if (this.isWaitingForDatabase) return;
    const isHeld = await this.tryRenew().catch(() => this.renewAfterOutage());
    if (isHeld) return;
    this.stop();
    this.controller.abort(
      new LeaseLostError(`${this.stage.name} of ${this.stage.jobId} is leased by another worker`),
    );
  }

  private tryRenew(): Promise<boolean> {
    return renewLease(this.dataSource, this.stage, this.leaseSeconds);
  }

  /** Renews as soon as Postgres is available, because sweeps reclaim expired leases. */
  private async renewAfterOutage(): Promise<boolean> {
    this.isWaitingForDatabase = true;
    const isHeld = await retryWhileDatabaseUnavailable(() => this.tryRenew(), this.stopped.signal).catch(
      () => true,
    );
    this.isWaitingForDatabase = false;
    return isHeld;
  }
}
