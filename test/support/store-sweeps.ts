import { StoreScan, type StoreScanOptions } from '../../apps/processor/src/maintenance/store-scan.js';
import type { ThrowawayStore } from './throwaway-store.js';
import type { World } from './job-world.js';

const HURRIED: StoreScanOptions = {
  orphanSweepSeconds: 1,
  orphanAgeSeconds: 0,
  orphanRetentionDays: 7,
  orphanDelaySeconds: 0,
  bodyIdleSeconds: 3_600,
  bodyBytesPerSecond: Infinity,
};

export interface StoreSweeps {
  /** Scans the whole store. */
  sweepOnce(stop?: AbortSignal): Promise<void>;
  /** This many days with one scan each, on the database's clock. */
  sweepDaily(count: number): Promise<void>;
  /** By scope: how many orphans the last scan found, how many wait for an operator, and how many were deleted so far. */
  observed: Map<string, number>;
  held: Map<string, number>;
  deleted: Map<string, number>;
}

/** The sweeps of a long-running processor, without timers. */
export function createStoreSweeps(
  world: World,
  files: ThrowawayStore,
  options: Partial<StoreScanOptions> = {},
): StoreSweeps {
  const [observed, held, deleted] = [1, 2, 3].map(() => new Map<string, number>()) as [
    Map<string, number>,
    Map<string, number>,
    Map<string, number>,
  ];
  const sweep = new StoreScan(
    world.dataSource,
    files.store,
    { ...HURRIED, ...options },
    {
      setObserved: (scope, count) => void observed.set(scope, count),
      setHeld: (scope, count) => void held.set(scope, count),
      addDeleted: (scope, count) => void deleted.set(scope, (deleted.get(scope) ?? 0) + count),
    },
  );
  const pass = async (stop = new AbortController().signal) => {
    await sweep.scanAudio(stop);
    await sweep.scanTranscripts(stop);
  };
  return {
    observed,
    held,
    deleted,
    sweepOnce: pass,
    sweepDaily: async (count) => {
      for (let day = 0; day < count; day += 1) {
        await ageOrphanObservations(world, '23 hours 59 minutes');
        await pass();
      }
    },
  };
}

/** As if all known orphans had been found this much earlier. */
export async function ageOrphanObservations(world: World, interval: string): Promise<void> {
  await world.rows(
    'UPDATE orphan_observation SET first_seen_at = first_seen_at - $1::interval, last_seen_at = last_seen_at - $1::interval',
    interval,
  );
}
