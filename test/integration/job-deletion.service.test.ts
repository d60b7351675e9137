import { createDataSource } from '@app/database';
import { buildTranscriptPrefix } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { JobDeletionService } from '../../apps/api/src/jobs/job-deletion.service.js';
import { createDeferred } from '../support/deferred.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

const caller = () => ({ accountId: world.accountId, keyId: 'k' }) as never;

it('deletions at the same moment each delete the objects of their job', async () => {
  const ids = await createJobs(8);
  const deleted: string[] = [];
  const objects = {
    abortMultipart: async () => undefined,
    deleteAll: async ({ prefixes }: { prefixes: readonly string[] }) => void deleted.push(...prefixes),
  };
  const service = createService(world.dataSource, objects);
  await Promise.all(ids.map((id) => service.deleteJob(caller(), id)));
  expect(deleted).toEqual(expect.arrayContaining(ids.map((id) => buildTranscriptPrefix(id))));
});

it('deletions that wait for the object store leave connections for other requests', async () => {
  const ids = await createJobs(12);
  const pool = { url: world.url, poolSize: 10, applicationName: 'zephyr-test' };
  const dataSource = await createDataSource(pool).initialize();
  const store = createDeferred<void>();
  const objects = { abortMultipart: async () => undefined, deleteAll: () => store.promise };
  const service = createService(dataSource, objects);
  const deletions = ids.map((id) => service.deleteJob(caller(), id));
  await expect
    .poll(() => world.rows('SELECT FROM job WHERE id = ANY($1::uuid[])', ids), { timeout: 10_000 })
    .toEqual([]);
  expect(await dataSource.query('SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
  store.resolve();
  await Promise.all(deletions);
  await dataSource.destroy();
});

async function createJobs(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push(await world.newJob());
  return ids;
}

function createService(dataSource: DataSource, objects: object): JobDeletionService {
  const options = { leaseSeconds: 15 } as ApiOptions;
  return new JobDeletionService(dataSource, world.hooks, objects as ObjectStore, options);
}
