import { createDataSource } from '@app/database';
import type { ObjectStore } from '@app/storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { JobDeletionService } from '../../apps/api/src/jobs/job-deletion.service.js';
import { createDeferred } from '../support/deferred.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

it('deletions that wait for the object store leave connections for other requests', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 12; at += 1) ids.push(await world.newJob());
  const pool = { url: world.url, poolSize: 10, applicationName: 'zephyr-test' };
  const dataSource = await createDataSource(pool).initialize();
  const store = createDeferred<void>();
  const objects = { abortMultipart: async () => undefined, deleteAll: () => store.promise };
  const options = { leaseSeconds: 15 } as ApiOptions;
  const service = new JobDeletionService(dataSource, world.hooks, objects as unknown as ObjectStore, options);
  const caller = { accountId: world.accountId, keyId: 'k' };
  const deletions = ids.map((id) => service.deleteJob(caller as never, id));
  await expect
    .poll(() => world.rows('SELECT FROM job WHERE id = ANY($1::uuid[])', ids), { timeout: 10_000 })
    .toEqual([]);
  expect(await dataSource.query('SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
  store.resolve();
  await Promise.all(deletions);
  await dataSource.destroy();
});
