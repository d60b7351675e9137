import { isDatabaseUnavailable } from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import { sweep, type SweepReport } from './sweep.js';

export interface SweeperOptions {
  /** Seconds after which a stage that nobody took up is delivered again. */
  redeliverSeconds: number;
  /** Seconds for which a stage is held without a word from its holder. */
  leaseSeconds: number;
}

/**
 * Sweeps again and again. While Postgres was away nobody could prolong a lease, and the first to come back must not take
 * the others for dead: they get the length of a lease from then on.
 */
export class Sweeper {
  private reclaimLeasesFrom = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly hooks: JobHooks,
    private readonly options: SweeperOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws what the database throws */
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
