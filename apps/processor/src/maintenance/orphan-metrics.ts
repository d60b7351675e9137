import { Counter, Gauge, type Registry } from 'prom-client';

export class OrphanMetrics {
  private readonly observedGauge: Gauge<'scope'>;
  private readonly heldGauge: Gauge<'scope'>;
  private readonly deletedCounter: Counter<'scope'>;

  constructor(registry: Registry) {
    const [labelNames, registers] = [['scope'] as const, [registry]];
    this.observedGauge = new Gauge({
      name: 'zephyr_store_orphans',
      help: 'Stored objects and open uploads that no row refers to, at the last scan of this process.',
      labelNames,
      registers,
    });
    this.heldGauge = new Gauge({
      name: 'zephyr_store_orphans_held',
      help: 'Orphans that are old enough to be deleted but wait for an operator: `store orphans`.',
      labelNames,
      registers,
    });
    this.deletedCounter = new Counter({
      name: 'zephyr_store_orphans_deleted_total',
      help: 'Orphans that this process deleted.',
      labelNames,
      registers,
    });
  }

  setObserved(scope: string, count: number): void {
    this.observedGauge.set({ scope }, count);
  }

  setHeld(scope: string, count: number): void {
    this.heldGauge.set({ scope }, count);
  }

  /** Removes the samples of a process that no longer scans: another one reports newer ones. */
  resetGauges(): void {
    this.observedGauge.reset();
    this.heldGauge.reset();
  }

  addDeleted(scope: string, count: number): void {
    this.deletedCounter.inc({ scope }, count);
  }
}
