import {
  StoreCleanupScan,
  type StoreCleanupScanOptions,
} from '../../apps/processor/src/maintenance/store-cleanup-scan.js';
import type { ThrowawayStore } from './throwaway-store.js';
import type { World } from './job-world.js';

const TEST_OPTIONS: StoreCleanupScanOptions = {
  storeScanSeconds: 1,
  unneededAudioSeconds: 0,
  orphanRetentionDays: 7,
  orphanDelaySeconds: 0,
  bodyIdleSeconds: 3_600,
  bodyBytesPerSecond: Infinity,
};

export interface StoreScans {
  /** Scans the whole store once. */
  scanOnce(stop?: AbortSignal): Promise<void>;
  /** Simulates days with one scan each, by changing the times of earlier observations. */
  scanDaily(count: number): Promise<void>;
  /** By scope: orphans that the last scan found. */
  observed: Map<string, number>;
  /** By scope: orphans that wait for an operator. */
  held: Map<string, number>;
  /** By scope: orphans that were deleted so far. */
  deleted: Map<string, number>;
}

/** The scans of a processor, without its timers. */
export function createStoreScans(
  world: World,
  files: ThrowawayStore,
  options: Partial<StoreCleanupScanOptions> = {},
): StoreScans {
  const [observed, held, deleted] = [1, 2, 3].map(() => new Map<string, number>()) as [
    Map<string, number>,
    Map<string, number>,
    Map<string, number>,
  ];
  const scan = new StoreCleanupScan(
    world.dataSource,
    files.store,
    { ...TEST_OPTIONS, ...options },
    {
      setObserved: (scope, count) => void observed.set(scope, count),
      setHeld: (scope, count) => void held.set(scope, count),
      addDeleted: (scope, count) => void deleted.set(scope, (deleted.get(scope) ?? 0) + count),
    },
  );
  const scanOnce = async (stop = new AbortController().signal) => {
    await scan.scanAllButTranscripts(stop);
    await scan.scanTranscripts(stop);
  };
  return {
    observed,
    held,
    deleted,
    scanOnce,
    scanDaily: async (count) => {
      for (let day = 0; day < count; day += 1) {
        await ageOrphanObservations(world, '23 hours 59 minutes');
        await scanOnce();
      }
    },
  };
}

/** Makes all observations of orphans older. */
export async function ageOrphanObservations(world: World, interval: string): Promise<void> {
  await world.rows(
    'UPDATE orphan_observation SET first_seen_at = first_seen_at - $1::interval, last_seen_at = last_seen_at - $1::interval',
    interval,
  );
}
