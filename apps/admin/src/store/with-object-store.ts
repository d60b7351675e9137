import { readSchemaState } from '@app/database';
import { buildStorageOptions } from '@app/runtime';
import { createObjectStore, type ObjectStore } from '@app/storage';
import { CommandError } from '../output.js';
import type { AdminServices } from '../command-context.js';

/** Works on the object store of the settings, and closes it. */
export async function withObjectStore<T>(
  { foundation, dataSource }: AdminServices,
  work: (store: ObjectStore) => Promise<T>,
): Promise<T> {
  if ((await readSchemaState(dataSource)).pending.length > 0)
    throw new CommandError('The database schema is not up to date: run `migrate` first.');
  const store = await createObjectStore(buildStorageOptions(foundation));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
