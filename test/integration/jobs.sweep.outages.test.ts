import { claimNextStage, JobSweeper } from '@app/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJobWorld, EMPTY_QUEUE, type World } from '../support/job-world.js';

const OPTIONS = { redeliverSeconds: 30, leaseSeconds: 10 };

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(() => world.clear());

describe('JobSweeper', () => {
  it('expired leases are spared for one lease duration after an outage of Postgres', async () => {
    await world.newJob();
    await claimNextStage(world.dataSource, 'preprocess', 10);
    await world.rows(`UPDATE job_stage SET lease_until = now() - interval '1 second'`);
    let now = 5_000;
    const sweeper = new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, OPTIONS, () => now);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const transaction = vi.spyOn(world.dataSource, 'createQueryRunner').mockImplementationOnce(() => {
      throw refused;
    });
    await expect(sweeper.sweep()).rejects.toThrow('refused');
    transaction.mockRestore();
    now += 9_999;
    expect(await sweeper.sweep()).toMatchObject({ reclaimed: [] });
    now += 1;
    expect(await sweeper.sweep()).toMatchObject({ reclaimed: [{ name: 'preprocess' }] });
  });

  it('expired leases are spared after an outage that another statement of the process has met', async () => {
    await world.newJob();
    await claimNextStage(world.dataSource, 'preprocess', 10);
    await world.rows(`UPDATE job_stage SET lease_until = now() - interval '1 second'`);
    let now = 5_000;
    const sweeper = new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, OPTIONS, () => now);
    sweeper.spareExpiredAfter(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(await sweeper.sweep()).toMatchObject({ reclaimed: [] });
    now += 10_000;
    sweeper.spareExpiredAfter(new Error('no outage'));
    expect(await sweeper.sweep()).toMatchObject({ reclaimed: [{ name: 'preprocess' }] });
  });

  it('a cancelled statement is no outage: expired leases are not spared', async () => {
    await world.newJob();
    await claimNextStage(world.dataSource, 'preprocess', 10);
    await world.rows(`UPDATE job_stage SET lease_until = now() - interval '1 second'`);
    const sweeper = new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, OPTIONS);
    sweeper.spareExpiredAfter(Object.assign(new Error('statement timeout'), { code: '57014' }));
    expect(await sweeper.sweep()).toMatchObject({ reclaimed: [{ name: 'preprocess' }] });
  });

  it('an expired upload is spared after an outage of Postgres until its next ping would have come', async () => {
    await world.newJob({ enqueue: false });
    const overdue = await world.newJob();
    await world.rows(
      `UPDATE job SET upload_expires_at = now() - interval '1 minute',
         upload_session_until = now() - interval '1 second',
         deadline_at = CASE WHEN queued_at IS NOT NULL THEN now() - interval '1 second' END`,
    );
    let now = 5_000;
    const options = { ...OPTIONS, leaseSeconds: 3 };
    const sweeper = new JobSweeper(world.dataSource, world.hooks, EMPTY_QUEUE, options, () => now);
    sweeper.spareExpiredAfter(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    now += 14_999;
    expect(await sweeper.sweep()).toMatchObject({ expired: 1 });
    expect(await world.rows(`SELECT id FROM job WHERE status = 'failed'`)).toEqual([{ id: overdue }]);
    now += 1;
    expect(await sweeper.sweep()).toMatchObject({ expired: 1 });
  });
});
