import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';
import { LeaseRenewer } from './lease-renewer.js';

const SECONDS = 15;
const stage = { jobId: 'a', name: 'preprocess', fence: 1 } as unknown as ClaimedStage;
const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const [ours, lost] = [
  [[{}], 1],
  [[], 0],
];

// Only the beat of the renewals: what waits for Postgres waits for real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

function keeperOver(query: ReturnType<typeof vi.fn>): LeaseRenewer {
  return new LeaseRenewer({ query } as unknown as DataSource, stage, SECONDS);
}

const beat = () => vi.advanceTimersByTime((SECONDS * 1000) / 3);

describe('LeaseRenewer', () => {
  it('renews the lease three times per lease duration', async () => {
    const query = vi.fn(async () => ours);
    const keeper = keeperOver(query);
    for (const times of [1, 2, 3]) {
      beat();
      await expect.poll(() => query.mock.calls.length).toBe(times);
    }
    keeper.stop();
    expect(keeper.signal.aborted).toBe(false);
  });

  it('renews the lease as soon as Postgres is available again', async () => {
    const query = vi.fn(async () => ours);
    for (let time = 0; time < 3; time += 1) query.mockRejectedValueOnce(away);
    const keeper = keeperOver(query);
    beat();
    await expect.poll(() => query.mock.calls.length).toBe(4);
    expect(keeper.signal.aborted).toBe(false);
    keeper.stop();
  });

  it('aborts the work when the lease is lost', async () => {
    const keeper = keeperOver(vi.fn(async () => lost));
    beat();
    await expect.poll(() => keeper.signal.aborted).toBe(true);
  });
});
