import { randomUUID } from 'node:crypto';
import { PollingLoop, type PollingLoopLogger } from '@app/async';
import { isDatabaseUnavailableError } from '@app/database';
import type { DataSource } from 'typeorm';
import { releaseMaintenanceLease, tryTakeMaintenanceLease } from './maintenance-lease.repository.js';

/** A leader that loses one or two renewals stays. */
const RENEWALS_PER_LEASE = 3;

export interface LeaderElectionOptions {
  /** Name of the lease that the leader holds. */
  name: string;
  leaseSeconds: number;
  logger: PollingLoopLogger;
  /** May be called again after `onDeposed`. */
  onElected: () => void;
  /** The lease has passed to another process, or may have. */
  onDeposed: () => Promise<void>;
  /** The database has not answered, also in a process that does not lead. */
  onError?: (error: unknown) => void;
}

/**
 * Elects one of many processes by a lease row, which also works through a pooler of connections. After a pause of its
 * process, a leader does not know for a moment that there is another one: what it does must be safe to do twice.
 */
export class LeaderElection {
  private readonly holder = randomUUID();
  private readonly loop: PollingLoop;
  private leadsUntil = -Infinity;
  private isLeader = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: LeaderElectionOptions,
  ) {
    this.loop = new PollingLoop({
      name: `election of the ${options.name} leader`,
      intervalMs: (options.leaseSeconds * 1000) / RENEWALS_PER_LEASE,
      tick: () => this.elect(),
      logger: options.logger,
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Lets another process lead at once. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.depose();
    const { name } = this.options;
    // Without the database, the lease expires.
    await releaseMaintenanceLease(this.dataSource, name, this.holder).catch(() => undefined);
  }

  private async elect(): Promise<void> {
    const { onElected } = this.options;
    try {
      // The next interval is too late after a connection on which the server does not respond.
      await this.takeLease().catch((error: unknown) =>
        isDatabaseUnavailableError(error) ? this.takeLease() : Promise.reject(error as Error),
      );
    } catch (error) {
      this.options.onError?.(error);
      throw error;
    } finally {
      if (performance.now() >= this.leadsUntil) await this.depose();
    }
    if (this.isLeader || this.leadsUntil === -Infinity) return;
    this.isLeader = true;
    onElected();
  }

  private async takeLease(): Promise<void> {
    const { name, leaseSeconds } = this.options;
    const sentAt = performance.now();
    const isElected = await tryTakeMaintenanceLease(this.dataSource, name, this.holder, leaseSeconds);
    this.leadsUntil = isElected ? sentAt + leaseSeconds * 1000 : -Infinity;
  }

  private async depose(): Promise<void> {
    if (!this.isLeader) return;
    this.isLeader = false;
    await this.options.onDeposed();
  }
}
