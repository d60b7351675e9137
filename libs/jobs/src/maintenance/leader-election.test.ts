import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LeaderElection } from './leader-election.js';

const LEASE_SECONDS = 30;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a leader without the database leads until its lease ends for others, and no longer', async () => {
  const query = vi.fn(() => Promise.resolve<unknown>({ rows: [{ name: 'test' }] }));
  const [onElected, onDeposed] = [vi.fn(), vi.fn(() => Promise.resolve())];
  const election = new LeaderElection({ driver: { master: { query } } } as unknown as DataSource, {
    name: 'test',
    leaseSeconds: LEASE_SECONDS,
    logger: { warn: () => undefined },
    onElected,
    onDeposed,
  });
  election.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(onElected).toHaveBeenCalledOnce();
  query.mockRejectedValue(new Error('refused'));
  await vi.advanceTimersByTimeAsync(LEASE_SECONDS * 1_000 - 1);
  expect(onDeposed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onDeposed).toHaveBeenCalledOnce();
});
