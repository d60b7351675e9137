import type { DataSource } from 'typeorm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoredBytesQuota } from './stored-bytes-quota.js';

afterEach(() => void vi.useRealTimers());

function createQuota(row: { storedBytes: number; quotaOverride?: number; waitingFetches?: number }) {
  const query = vi.fn(async () => [{ quotaOverride: null, waitingFetches: 1, ...row }]);
  return { query, quota: new StoredBytesQuota({ query } as unknown as DataSource, 1_000) };
}

describe('StoredBytesQuota', () => {
  it('reads the usage of an account once in five seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { query, quota } = createQuota({ storedBytes: 999 });
    await Promise.all([quota.assertBelow('a'), quota.assertBelow('a')]);
    vi.advanceTimersByTime(4_000);
    await quota.assertBelow('a');
    expect(query).toHaveBeenCalledTimes(1);
    await quota.assertBelow('b');
    expect(query).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(2_000);
    await quota.assertBelow('a');
    expect(query).toHaveBeenCalledTimes(3);
  });

  it('adds what was fetched since the usage was read', async () => {
    const { quota } = createQuota({ storedBytes: 998 });
    await quota.assertBelow('a');
    quota.noteFetched('a', 1);
    await quota.assertBelow('a');
    quota.noteFetched('a', 1);
    await expect(quota.assertBelow('a')).rejects.toThrow('quota');
    await quota.assertBelow('b');
  });

  it('prefers the quota of the account to that of the settings', async () => {
    await expect(
      createQuota({ storedBytes: 999, quotaOverride: 999 }).quota.assertBelow('a'),
    ).rejects.toThrow();
    await createQuota({ storedBytes: 1_000, quotaOverride: 1_001 }).quota.assertBelow('a');
  });

  it.each([
    [1, 60],
    [600, 60],
    [3_000, 300],
    [1_000_000, 600],
  ])('lets %i fetches that wait be tried again after %i seconds', async (waitingFetches, delaySeconds) => {
    const { quota } = createQuota({ storedBytes: 1_000, waitingFetches });
    await expect(quota.assertBelow('a')).rejects.toMatchObject({ delaySeconds });
  });

  it('reads again after an error', async () => {
    const { query, quota } = createQuota({ storedBytes: 0 });
    query.mockRejectedValueOnce(new Error('away'));
    await expect(quota.assertBelow('a')).rejects.toThrow('away');
    await quota.assertBelow('a');
  });
});
