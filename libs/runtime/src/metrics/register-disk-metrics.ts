import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { type GaugeValues, registerQueriedGauge } from './register-queried-gauge.js';

/** Free and total bytes of the disks that the process writes to. @param folders path by name */
export function registerDiskMetrics(registry: Registry, folders: Record<string, string>): void {
  const each = async (value: (disk: StatsFs) => number): Promise<GaugeValues> => {
    const values = Object.entries(folders).map(async ([name, path]) => [name, value(await statfs(path))]);
    return Object.fromEntries(await Promise.all(values)) as GaugeValues;
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
