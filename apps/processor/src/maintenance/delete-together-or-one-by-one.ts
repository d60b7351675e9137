import { forEachConcurrently } from '@app/async';
import type { KeysAndPrefixesToDelete, ObjectStore } from '@app/storage';
import type { ErrorCollector } from './error-collector.js';

const CONCURRENT_JOBS = 8;

/**
 * Deletes the objects of all jobs together. If one job fails that, they are deleted one by one.
 * @param planned by the id of the job
 * @returns the ids of jobs whose objects are deleted
 */
export async function deleteTogetherOrOneByOne(
  store: Pick<ObjectStore, 'deleteAll'>,
  planned: ReadonlyMap<string, KeysAndPrefixesToDelete>,
  errors: ErrorCollector,
): Promise<string[]> {
  if (planned.size === 0) return [];
  const all = [...planned.values()];
  const keys = all.flatMap((deletion) => deletion.keys);
  const prefixes = all.flatMap((deletion) => deletion.prefixes);
  const isDone = await store.deleteAll({ keys, prefixes }).then(
    () => true,
    () => false,
  );
  if (isDone) return [...planned.keys()];
  const deleted: string[] = [];
  await forEachConcurrently(planned, CONCURRENT_JOBS, ([id, deletion]) =>
    errors.run(`job ${id}`, async () => {
      await store.deleteAll(deletion);
      deleted.push(id);
    }),
  );
  return deleted;
}
