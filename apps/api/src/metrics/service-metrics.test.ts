import { QUEUE_NAMES } from '@app/jobs';
import { Registry } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import { ServiceMetrics } from './service-metrics.js';

const rows = [{ due: 3, uploading: 1, queued: 2 }];

function metrics() {
  const query = vi.fn(async () => rows);
  const counts = vi.fn(async () => ({ waiting: 4 }));
  const registry = new Registry();
  const streams = { open: 0, waiting: 0 };
  void new ServiceMetrics(registry, { query } as never, { counts } as never, streams as never);
  const scrape = async () =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { query, counts, scrape };
}

describe('the metrics of the service', () => {
  it('tell what rows and queues say', async () => {
    const lines = await metrics().scrape();
    expect(lines).toContain('zephyr_outbox_due 3');
    expect(lines).toContain('zephyr_jobs_open{state="queued"} 2');
    for (const queue of QUEUE_NAMES) expect(lines).toContain(`zephyr_queue_waiting{queue="${queue}"} 4`);
  });

  it('leave out what cannot be asked for, rather than call it nothing, and have it again after', async () => {
    const { query, counts, scrape } = metrics();
    await scrape();
    query.mockRejectedValue(new Error('away'));
    counts.mockRejectedValue(new Error('away'));
    const lines = await scrape();
    expect(lines.filter((line) => /outbox_due|jobs_open|queue_waiting/.test(line))).toEqual([]);
    expect(lines).toContain('zephyr_streams{state="served"} 0');
    query.mockResolvedValue(rows);
    expect(await scrape()).toContain('zephyr_outbox_due 3');
  });
});
