import type { DataSource } from 'typeorm';
import { type ClaimedStage, renewLease } from '../stages/claim-stage.js';
import { StaleLease } from '../stages/stale-lease.js';
import { whileDatabaseAway } from './while-away.js';

/**
 * Prolongs a lease while the work goes on; aborts `signal` with StaleLease once the stage is no longer ours.
 * A renewal that cannot reach the database is tried again: the fence protects the rows meanwhile.
 */
export class LeaseKeeper {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly stopped = new AbortController();
  /** For Postgres. */
  private waiting = false;
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
    if (this.waiting) return;
    const ours = await this.renewed().catch(() => this.renewedOnceBack());
    if (ours) return;
    this.stop();
    this.controller.abort(new StaleLease(`${this.stage.name} of ${this.stage.jobId} went to another`));
  }

  private renewed(): Promise<boolean> {
    return renewLease(this.dataSource, this.stage, this.leaseSeconds);
  }

  /** As soon as it is: others look for holders that have fallen silent. */
  private async renewedOnceBack(): Promise<boolean> {
    this.waiting = true;
    const ours = await whileDatabaseAway(() => this.renewed(), this.stopped.signal).catch(() => true);
    this.waiting = false;
    return ours;
  }
}
