import { countAllUploadingAndQueuedJobs, readLongestWaitPerQueue } from '@app/jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeEach(async () => void (world = await createJobWorld()));
afterEach(() => world.close());

describe('the counts of open work', () => {
  it('open jobs are counted by whether they wait for their upload', async () => {
    await world.newJob({ enqueue: false });
    await world.newJob();
    await world.newJob();
    await world.rows(`UPDATE job SET status = 'completed' WHERE id = $1`, await world.newJob());
    expect(await countAllUploadingAndQueuedJobs(world.dataSource)).toEqual({ uploading: 1, queued: 2 });
  });

  it('the longest wait of a queue is that of its first due stage, and 0 if none is due yet', async () => {
    const [first, second] = [await world.newJob(), await world.newJob()];
    const setDue = (id: string, due: string) =>
      world.rows(`UPDATE job_stage SET due_at = now() + $2::interval WHERE job_id = $1`, id, due);
    await setDue(first, '-90 seconds');
    await setDue(second, '-30 seconds');
    const [wait] = await readLongestWaitPerQueue(world.dataSource);
    expect(wait?.queue).toBe('preprocess');
    expect(wait?.seconds).toBeGreaterThan(89);
    await setDue(first, '60 seconds');
    await setDue(second, '60 seconds');
    expect(await readLongestWaitPerQueue(world.dataSource)).toEqual([{ queue: 'preprocess', seconds: 0 }]);
  });
});
