import { collectDefaultMetrics, Gauge, Registry, Counter } from 'prom-client';
import { STORE_CALLS_WITH_REPORTED_FAILURES } from '@app/storage';
import { readPackageVersion } from '../package-version.js';
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { type GaugeValueByLabel, registerQueriedGauge } from './register-queried-gauge.js';

/** Contains the metrics of Node and the running version. */
export function createMetricsRegistry(program: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ program });
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'zephyr_build_info',
    help: 'Always 1; the labels are the running version and its Node version.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: readPackageVersion(), node: process.versions.node }, 1);
  return registry;
}

/** @returns a function that counts one failed call */
export function createStoreErrorRecorder(registry: Registry): (operation: string) => void {
  const errors = new Counter({
    name: 'zephyr_store_errors_total',
    help: 'Failed calls to the object store: unreachable, access denied, or its disk full or failing.',
    labelNames: ['operation'],
    registers: [registry],
  });
  // Present from the start, so that the first failure is an increase.
  for (const operation of STORE_CALLS_WITH_REPORTED_FAILURES) errors.inc({ operation }, 0);
  return (operation) => errors.inc({ operation });
}

/** Free and total bytes of the disks that the process writes to. @param folders path by name; those that cannot be read are left out */
export function registerDiskMetrics(registry: Registry, folders: Record<string, string>): void {
  const each = async (value: (disk: StatsFs) => number): Promise<GaugeValueByLabel> => {
    const values = Object.entries(folders).map(async ([name, path]) => {
      const disk = await statfs(path).catch(() => undefined);
      return disk === undefined ? [] : [[name, value(disk)] as const];
    });
    return Object.fromEntries((await Promise.all(values)).flat());
  };
  registerQueriedGauge(
    registry,
    { name: 'zephyr_disk_free_bytes', help: 'Free disk space for the service, by folder.', label: 'folder' },
    () => each(({ bavail, bsize }) => bavail * bsize),
  );
  registerQueriedGauge(
    registry,
    { name: 'zephyr_disk_size_bytes', help: 'Size of the disk, by folder.', label: 'folder' },
    () => each(({ blocks, bsize }) => blocks * bsize),
  );
}
