import { inTransaction } from '@app/database';
import { countOverdueOutboxMessages } from '@app/jobs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

it('messages count as due when no program has sent and deleted them for five seconds', async () => {
  await world.newJob();
  // In one transaction now() does not change.
  const counts = await inTransaction(world.dataSource, async (tx) => {
    const countAtAge = async (seconds: number) => {
      await tx.query('UPDATE outbox SET due_at = now() - make_interval(secs => $1)', [seconds]);
      return countOverdueOutboxMessages(tx);
    };
    return [await countAtAge(-60), await countAtAge(0), await countAtAge(4.9), await countAtAge(5)];
  });
  expect(counts).toEqual([0, 0, 0, 1]);
});
