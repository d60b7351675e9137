import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readControlGroupLimits } from './control-group-limits.js';
import { readMachineResources } from './machine-resources.js';

const GIBIBYTE = 2 ** 30;
const V2 = 'sys/fs/cgroup/machine.slice/zephyr.service';
const V1 = 'sys/fs/cgroup';

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'zephyr-groups-'))));
afterEach(() => rm(root, { recursive: true }));

async function writeFiles(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `${content}\n`);
  }
}

const NONE = { memoryBytes: Infinity, processors: Infinity };
const UNIFIED = '0::/machine.slice/zephyr.service';
const VERSION_1 = '5:memory:/docker/1f\n3:cpu,cpuacct:/docker/1f\n1:name=systemd:/docker/1f';

describe('readControlGroupLimits', () => {
  it.each<[string, Record<string, string>, typeof NONE]>([
    ['a system without control groups', {}, NONE],
    [
      'a group of version 2 without limits',
      { 'proc/self/cgroup': UNIFIED, [`${V2}/memory.max`]: 'max', [`${V2}/cpu.max`]: 'max 100000' },
      NONE,
    ],
    [
      'the limits of a group of version 2',
      {
        'proc/self/cgroup': UNIFIED,
        [`${V2}/memory.max`]: `${GIBIBYTE}`,
        [`${V2}/cpu.max`]: '150000 100000',
      },
      { memoryBytes: GIBIBYTE, processors: 1.5 },
    ],
    [
      'the strictest of a group, its soft limit and the slice that contains it',
      {
        'proc/self/cgroup': UNIFIED,
        [`${V2}/memory.max`]: `${4 * GIBIBYTE}`,
        [`${V2}/memory.high`]: `${3 * GIBIBYTE}`,
        'sys/fs/cgroup/machine.slice/memory.max': `${2 * GIBIBYTE}`,
        'sys/fs/cgroup/machine.slice/cpu.max': '400000 100000',
      },
      { memoryBytes: 2 * GIBIBYTE, processors: 4 },
    ],
    [
      'a container that sees its own group as the root',
      { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/memory.max': `${GIBIBYTE}` },
      { memoryBytes: GIBIBYTE, processors: Infinity },
    ],
    [
      'version 1, in a container whose file system lacks the path of its group',
      {
        'proc/self/cgroup': VERSION_1,
        [`${V1}/memory/memory.limit_in_bytes`]: `${GIBIBYTE}`,
        [`${V1}/cpu/cpu.cfs_quota_us`]: '200000',
        [`${V1}/cpu/cpu.cfs_period_us`]: '100000',
      },
      { memoryBytes: GIBIBYTE, processors: 2 },
    ],
    [
      'version 1 without a quota',
      {
        'proc/self/cgroup': VERSION_1,
        [`${V1}/cpu/docker/1f/cpu.cfs_quota_us`]: '-1',
        [`${V1}/cpu/docker/1f/cpu.cfs_period_us`]: '100000',
      },
      NONE,
    ],
  ])('reads %s', async (_, files, expected) => {
    await writeFiles(files);
    expect(await readControlGroupLimits(root)).toEqual(expected);
  });
});

it('readMachineResources reports at least one core and some memory', async () => {
  const { cores, memoryBytes } = await readMachineResources();
  expect(cores).toBeGreaterThanOrEqual(1);
  expect(memoryBytes).toBeGreaterThan(0);
});
