import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';
import { LeaseRenewer } from './lease-renewer.js';

const SECONDS = 15;
const stage = { jobId: 'a', name: 'preprocess', fence: 1 } as unknown as ClaimedStage;
const connectionError = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const [heldLease, lostLease] = [
  [[{}], 1],
  [[], 0],
];

// Only the renewal interval is faked; delays of Postgres retries are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

function createRenewer(query: ReturnType<typeof vi.fn>): LeaseRenewer {
  return new LeaseRenewer({ query } as unknown as DataSource, stage, SECONDS);
}

const beat = () => vi.advanceTimersByTime((SECONDS * 1000) / 3);

describe('LeaseRenewer', () => {
  it('renews the lease three times per lease duration', async () => {
    const query = vi.fn(async () => heldLease);
    const renewer = createRenewer(query);
    for (const times of [1, 2, 3]) {
      beat();
      await expect.poll(() => query.mock.calls.length).toBe(times);
    }
    renewer.stop();
    expect(renewer.signal.aborted).toBe(false);
  });

  it('renews the lease as soon as Postgres is available again', async () => {
    const query = vi.fn(async () => heldLease);
    for (let time = 0; time < 3; time += 1) query.mockRejectedValueOnce(connectionError);
    const renewer = createRenewer(query);
    beat();
    await expect.poll(() => query.mock.calls.length).toBe(4);
    expect(renewer.signal.aborted).toBe(false);
    renewer.stop();
  });

  it('aborts the work when the lease is lost', async () => {
    const renewer = createRenewer(vi.fn(async () => lostLease));
    beat();
    await expect.poll(() => renewer.signal.aborted).toBe(true);
  });
});
