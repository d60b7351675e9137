import { isDatabaseAway } from '@app/database';
import type { DataSource } from 'typeorm';
import type { JobEffects } from '../lifecycle/effects.js';
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
  private spareUntil = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly effects: JobEffects,
    private readonly options: SweeperOptions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws what the database throws */
  async pass(): Promise<SweepReport> {
    const { redeliverSeconds, leaseSeconds } = this.options;
    try {
      const revives = this.now() >= this.spareUntil;
      return await sweep(this.dataSource, this.effects, { redeliverSeconds, revives });
    } catch (error) {
      if (isDatabaseAway(error)) this.spareUntil = this.now() + leaseSeconds * 1000;
      throw error;
    }
  }
}
