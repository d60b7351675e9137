import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StageIdAndFence } from '../stages/stage-claim.repository.js';
import { LeaseRenewer } from './lease-renewer.js';

const SECONDS = 15;
const first: StageIdAndFence = { jobId: 'a', name: 'preprocess', fence: 1 };
const second: StageIdAndFence = { jobId: 'b', name: 'aggregation', fence: 3 };
const connectionError = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

// Only the renewal interval is faked; delays of Postgres retries are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** @param held the stages whose leases are not lost */
function createRenewer(held: StageIdAndFence[]) {
  const query = vi.fn<(statement: { values: unknown[] }) => Promise<{ rows: StageIdAndFence[] }>>(
    async () => ({
      rows: held,
    }),
  );
  const dataSource = { driver: { master: { query } } } as unknown as DataSource;
  return { query, renewer: new LeaseRenewer(dataSource, SECONDS) };
}

const beat = () => vi.advanceTimersByTime((SECONDS * 1000) / 3);

describe('LeaseRenewer', () => {
  it('renews all leases in one statement, three times per lease duration', async () => {
    const { query, renewer } = createRenewer([first, second]);
    const leases = [renewer.hold(first), renewer.hold(second)];
    for (const times of [1, 2, 3]) {
      beat();
      await expect.poll(() => query.mock.calls.length).toBe(times);
    }
    expect(query.mock.calls[0]?.[0].values.slice(0, 3)).toEqual([
      ['a', 'b'],
      ['preprocess', 'aggregation'],
      [1, 3],
    ]);
    expect(leases.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    for (const lease of leases) lease.stop();
    beat();
    expect(query).toHaveBeenCalledTimes(3);
  });

  it('renews the leases as soon as Postgres is available again', async () => {
    const { query, renewer } = createRenewer([first]);
    for (let time = 0; time < 3; time += 1) query.mockRejectedValueOnce(connectionError);
    const lease = renewer.hold(first);
    beat();
    await expect.poll(() => query.mock.calls.length).toBe(4);
    expect(lease.signal.aborted).toBe(false);
    lease.stop();
  });

  it('aborts the work whose lease is lost, and no other', async () => {
    const { renewer } = createRenewer([second]);
    const [lost, held] = [renewer.hold(first), renewer.hold(second)];
    beat();
    await expect.poll(() => lost.signal.aborted).toBe(true);
    expect(held.signal.aborted).toBe(false);
    held.stop();
  });
});
