import { getPgPool } from '@app/database';
import { LeaderElection } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

let names = 0;

/** Candidates for one lease, started. `leaders` has the indexes of those that lead. */
async function startCandidates(count: number, leaseSeconds: number, onError?: (error: unknown) => void) {
  const name = `test ${(names += 1)}`;
  const leaders = new Set<number>();
  const candidates = Array.from(
    { length: count },
    (_, index) =>
      new LeaderElection(world.dataSource, {
        name,
        leaseSeconds,
        logger: { warn: () => undefined },
        onElected: () => void leaders.add(index),
        onDeposed: async () => void leaders.delete(index),
        ...(onError && { onError }),
      }),
  );
  onTestFinished(async () => void (await Promise.all(candidates.map((candidate) => candidate.stop()))));
  for (const candidate of candidates) candidate.start();
  await expect.poll(() => leaders.size, { timeout: 20_000 }).toBe(1);
  return { name, leaders, candidates };
}

describe('LeaderElection', () => {
  it('one of several candidates leads, and stays the leader when it renews its lease', async () => {
    const { name, leaders } = await startCandidates(5, 1);
    const [leader] = leaders;
    const readEnd = async () =>
      (
        await world.row<{ end: Date }>(
          'SELECT lease_until AS end FROM maintenance_lease WHERE name = $1',
          name,
        )
      )?.end;
    const first = await readEnd();
    await expect.poll(readEnd, { timeout: 20_000 }).not.toEqual(first);
    expect([...leaders]).toEqual([leader]);
  });

  it('a leader and another candidate say that the database has not answered, and why', async () => {
    const errors: unknown[] = [];
    const { leaders, candidates } = await startCandidates(2, 0.5, (error) => errors.push(error));
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const query = vi.spyOn(getPgPool(world.dataSource), 'query').mockRejectedValue(refused as never);
    onTestFinished(() => query.mockRestore());
    await expect.poll(() => errors.length, { timeout: 20_000 }).toBeGreaterThan(2 * candidates.length);
    await expect.poll(() => leaders.size).toBe(0);
    expect(new Set(errors)).toEqual(new Set([refused]));
  });

  it('another candidate leads as soon as the leader stops', async () => {
    const { leaders, candidates } = await startCandidates(2, 1);
    const [leader = 0] = leaders;
    await candidates[leader]?.stop();
    await expect.poll(() => [...leaders], { timeout: 20_000 }).toEqual([1 - leader]);
  });

  it('another candidate leads after the lease of a leader that was killed', async () => {
    const { name, leaders } = await startCandidates(1, 600);
    await world.rows(
      `UPDATE maintenance_lease SET holder = gen_random_uuid(), lease_until = now() + interval '200 milliseconds'
       WHERE name = $1`,
      name,
    );
    const next = new LeaderElection(world.dataSource, {
      name,
      leaseSeconds: 0.6,
      logger: { warn: () => undefined },
      onElected: () => void leaders.add(1),
      onDeposed: async () => void leaders.delete(1),
    });
    onTestFinished(() => next.stop());
    next.start();
    await expect.poll(() => leaders.has(1), { timeout: 20_000 }).toBe(true);
  });

  it('a leader whose lease another process has taken steps down', async () => {
    const { name, leaders } = await startCandidates(1, 0.6);
    await world.rows(
      `UPDATE maintenance_lease SET holder = gen_random_uuid(), lease_until = 'infinity' WHERE name = $1`,
      name,
    );
    await expect.poll(() => leaders.size, { timeout: 20_000 }).toBe(0);
  });
});
