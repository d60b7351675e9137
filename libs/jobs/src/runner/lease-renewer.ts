import type { DataSource } from 'typeorm';
import { type StageIdAndFence, renewLeases } from '../stages/stage-claim.repository.js';
import { LeaseLostError } from '../stages/lease-lost-error.js';
import { retryWhileDatabaseUnavailable } from './retry-while-database-unavailable.js';

const RENEWALS_PER_LEASE = 3;

export interface HeldLease {
  /** Aborted with LeaseLostError if another worker has the stage. */
  signal: AbortSignal;
  stop(): void;
}

/**
 * Renews the leases of all stages that a process runs in one statement. Retries while the database is unavailable; the
 * fences protect the rows meanwhile.
 */
export class LeaseRenewer {
  private readonly held = new Map<StageIdAndFence, AbortController>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;
  private idle = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly leaseSeconds: number,
  ) {}

  /** Until `stop` is called or the lease is lost. */
  hold(stage: StageIdAndFence): HeldLease {
    const controller = new AbortController();
    this.held.set(stage, controller);
    this.timer ??= this.startTimer();
    return { signal: controller.signal, stop: () => this.release(stage) };
  }

  private startTimer(): NodeJS.Timeout {
    this.idle = new AbortController();
    return setInterval(() => void this.renew(), (this.leaseSeconds * 1000) / RENEWALS_PER_LEASE);
  }

  private release(stage: StageIdAndFence): void {
    this.held.delete(stage);
    if (this.held.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.idle.abort();
  }

  private async renew(): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    // Renews as soon as Postgres is available, because sweeps reclaim expired leases.
    await retryWhileDatabaseUnavailable(() => this.renewHeld(), this.idle.signal).catch(() => undefined);
    this.isRenewing = false;
  }

  private async renewHeld(): Promise<void> {
    const stages = [...this.held.keys()];
    const renewed = await renewLeases(this.dataSource, stages, this.leaseSeconds);
    const keys = new Set(renewed.map(toKey));
    for (const stage of stages) if (!keys.has(toKey(stage))) this.lose(stage);
  }

  private lose(stage: StageIdAndFence): void {
    const controller = this.held.get(stage);
    this.release(stage);
    controller?.abort(new LeaseLostError(`${stage.name} of ${stage.jobId} is leased by another worker`));
  }
}

function toKey({ jobId, name, fence }: StageIdAndFence): string {
  return `${jobId} ${name} ${fence}`;
}
