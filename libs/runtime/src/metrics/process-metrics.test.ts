import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { registerDiskMetrics } from './process-metrics.js';

describe('registerDiskMetrics', () => {
  it('leaves out a folder that is missing, and reports the others', async () => {
    const registry = new Registry();
    registerDiskMetrics(registry, { data: join(tmpdir(), crypto.randomUUID()), work: tmpdir() });
    for (const name of ['zephyr_disk_free_bytes', 'zephyr_disk_size_bytes'])
      expect(await registry.getSingleMetric(name)?.get()).toMatchObject({
        values: [{ labels: { folder: 'work' }, value: expect.any(Number) }],
      });
  });
});
