import type { DataSource } from 'typeorm';
import { type ClaimedStage, renewLease } from '../stages/claim-stage.js';
import { StaleLease } from '../stages/stale-lease.js';

/**
 * Prolongs a lease while the work goes on; aborts `signal` with StaleLease once the stage is no longer ours.
 * A renewal that cannot reach the database is tried again: the fence protects the rows meanwhile.
 */
export class LeaseKeeper {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
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
  }

  private async renew(): Promise<void> {
    const ours = await renewLease(this.dataSource, this.stage, this.leaseSeconds).catch(() => true);
    if (ours) return;
    this.stop();
    this.controller.abort(new StaleLease(`${this.stage.name} of ${this.stage.jobId} went to another`));
  }
}
