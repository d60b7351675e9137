import { Counter, Gauge, type Registry } from 'prom-client';

/** What lies in the object store without a row that says whether it may be deleted. */
export class OrphanMetrics {
  private readonly observedNow: Gauge<'scope'>;
  private readonly heldNow: Gauge<'scope'>;
  private readonly deletedSoFar: Counter<'scope'>;

  constructor(registry: Registry) {
    const [labelNames, registers] = [['scope'] as const, [registry]];
    this.observedNow = new Gauge({
      name: 'zephyr_store_orphans',
      help: 'Stored objects and open uploads that no row refers to, at the last scan of this process.',
      labelNames,
      registers,
    });
    this.heldNow = new Gauge({
      name: 'zephyr_store_orphans_held',
      help: 'Orphans that are old enough to be deleted but wait for an operator: `store orphans`.',
      labelNames,
      registers,
    });
    this.deletedSoFar = new Counter({
      name: 'zephyr_store_orphans_deleted_total',
      help: 'Orphans that this process deleted.',
      labelNames,
      registers,
    });
  }

  observed(scope: string, count: number): void {
    this.observedNow.set({ scope }, count);
  }

  held(scope: string, count: number): void {
    this.heldNow.set({ scope }, count);
  }

  deleted(scope: string, count: number): void {
    this.deletedSoFar.inc({ scope }, count);
  }
}
