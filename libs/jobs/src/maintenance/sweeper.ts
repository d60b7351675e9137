import { isDatabaseUnavailable } from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import { sweep, type SweepReport } from './sweep.js';

export interface SweeperOptions {
  /** Seconds after which the message of an unclaimed stage is sent again. */
  redeliverSeconds: number;
  /** Duration of a lease in seconds. */
  leaseSeconds: number;
}

/**
 * Sweeps repeatedly. During an outage of Postgres no worker can renew its lease, so expired leases are spared for
 * one lease duration after it.
 */
export class Sweeper {
  private reclaimLeasesFrom = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hooks: JobHooks,
    private readonly options: SweeperOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws the error of the database */
  async sweep(): Promise<SweepReport> {
    const { redeliverSeconds, leaseSeconds } = this.options;
    try {
      const revives = this.now() >= this.reclaimLeasesFrom;
      return await sweep(this.dataSource, this.hooks, { redeliverSeconds, reclaimsLeases: revives });
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.reclaimLeasesFrom = this.now() + leaseSeconds * 1000;
      throw error;
    }
  }
}
