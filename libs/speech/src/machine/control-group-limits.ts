import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Infinity where nothing limits. */
export interface ControlGroupLimits {
  memoryBytes: number;
  /** A quota of processor time, as a number of processors; may be a fraction. */
  processors: number;
}

/**
 * The strictest limits of the control groups of this process and of those that contain them, of version 1 and 2.
 * A machine without control groups has no such limits.
 * @param root of the file system, for tests
 */
export async function readControlGroupLimits(root = '/'): Promise<ControlGroupLimits> {
  const mount = join(root, 'sys/fs/cgroup');
  const limits: ControlGroupLimits = { memoryBytes: Infinity, processors: Infinity };
  for (const { controllers, path } of await readMemberships(root)) {
    // Version 2 has one hierarchy for all controllers and lists none.
    const isUnified = controllers.length === 0;
    for (const group of listGroupAndParents(path)) {
      const values = isUnified
        ? await readUnified(join(mount, group))
        : await readVersion1(mount, group, controllers);
      limits.memoryBytes = Math.min(limits.memoryBytes, values.memoryBytes);
      limits.processors = Math.min(limits.processors, values.processors);
    }
  }
  return limits;
}

/** Lines such as `0::/system.slice/zephyr.service` or `4:cpu,cpuacct:/docker/1f3a`. */
async function readMemberships(root: string): Promise<{ controllers: string[]; path: string }[]> {
  const text = (await readText(join(root, 'proc/self/cgroup'))) ?? '';
  return [...text.matchAll(/^\d+:([^:\n]*):(\/.*)$/gm)].map(([, controllers = '', path = '/']) => ({
    controllers: controllers.split(',').filter((name) => name !== ''),
    path,
  }));
}

/** A container sees its own group as `/`, or a path that its file system does not have: its parents are then read. */
function listGroupAndParents(path: string): string[] {
  return path === '/' ? [path] : [path, ...listGroupAndParents(dirname(path))];
}

async function readUnified(folder: string): Promise<ControlGroupLimits> {
  const [max, high] = [
    await readNumber(join(folder, 'memory.max')),
    await readNumber(join(folder, 'memory.high')),
  ];
  const [quota, period] = ((await readText(join(folder, 'cpu.max'))) ?? '').trim().split(/\s+/).map(Number);
  return { memoryBytes: Math.min(max, high), processors: divideQuota(quota, period) };
}

async function readVersion1(
  mount: string,
  group: string,
  controllers: string[],
): Promise<ControlGroupLimits> {
  const limits: ControlGroupLimits = { memoryBytes: Infinity, processors: Infinity };
  if (controllers.includes('memory'))
    limits.memoryBytes = await readNumber(join(mount, 'memory', group, 'memory.limit_in_bytes'));
  if (controllers.includes('cpu')) {
    const folder = join(mount, 'cpu', group);
    const [quota, period] = [
      await readNumber(join(folder, 'cpu.cfs_quota_us')),
      await readNumber(join(folder, 'cpu.cfs_period_us')),
    ];
    limits.processors = divideQuota(quota, period);
  }
  return limits;
}

/** `max`, -1 and missing values mean no limit. */
function divideQuota(quota = NaN, period = NaN): number {
  return quota > 0 && period > 0 && Number.isFinite(quota / period) ? quota / period : Infinity;
}

async function readNumber(path: string): Promise<number> {
  const value = Number((await readText(path)) ?? NaN);
  return value > 0 ? value : Infinity;
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null);
}
