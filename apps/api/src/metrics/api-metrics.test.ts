import { QUEUE_NAMES } from '@app/jobs';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiMetrics } from './api-metrics.js';

const row = { due: 3, uploading: 1, queued: 2, pending: 5, oldestDueSeconds: 6 };
const runQuery = async (sql: string): Promise<Partial<typeof row>[]> =>
  sql.includes('job_stage') ? [{ queue: 'chunk', seconds: 7 } as object] : [row];

function metrics() {
  const query = vi.fn(runQuery);
  const counts = vi.fn(async () => ({ waiting: 4 }));
  const registry = new Registry();
  const streams = { activeStreams: 0, waitingStreams: 0 };
  const outbox = { countBy: async () => (await query('outbox'))[0]?.due };
  const dataSource = { query, getRepository: () => outbox };
  void new ApiMetrics(registry, dataSource as never, { counts } as never, streams as never);
  const scrape = async () =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { query, counts, scrape };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('ApiMetrics', () => {
  it('reports the counts of rows and queues', async () => {
    const lines = await metrics().scrape();
    expect(lines).toContain('zephyr_outbox_due 3');
    expect(lines).toContain('zephyr_jobs_open{state="queued"} 2');
    expect(lines).toContain('zephyr_webhooks_pending 5');
    expect(lines).toContain('zephyr_webhook_oldest_due_age_seconds 6');
    expect(lines).toContain('zephyr_oldest_waiting_stage_age_seconds{stage="chunk"} 7');
    expect(lines).toContain('zephyr_oldest_waiting_stage_age_seconds{stage="preprocess"} 0');
    for (const queue of QUEUE_NAMES) expect(lines).toContain(`zephyr_queue_waiting{queue="${queue}"} 4`);
  });

  it('omits a gauge while its query fails, and reports it again afterwards', async () => {
    const { query, counts, scrape } = metrics();
    await scrape();
    query.mockRejectedValue(new Error('away'));
    counts.mockRejectedValue(new Error('away'));
    vi.advanceTimersByTime(6_000);
    const lines = await scrape();
    expect(lines.filter((line) => /outbox_due|jobs_open|queue_waiting/.test(line))).toEqual([]);
    expect(lines).toContain('zephyr_streams{state="served"} 0');
    query.mockImplementation(runQuery);
    vi.advanceTimersByTime(6_000);
    expect(await scrape()).toContain('zephyr_outbox_due 3');
  });

  it('queries rows and queues once for 200 scrapes', async () => {
    const { query, counts, scrape } = metrics();
    await Promise.all(Array.from({ length: 100 }, scrape));
    const queries = query.mock.calls.length;
    expect(queries).toBeLessThan(10);
    for (let index = 0; index < 100; index += 1) await scrape();
    expect(query).toHaveBeenCalledTimes(queries);
    expect(counts).toHaveBeenCalledTimes(QUEUE_NAMES.length);
  });
});
