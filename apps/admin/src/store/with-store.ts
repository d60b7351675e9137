import { readSchemaState } from '@app/database';
import { storeOptions } from '@app/runtime';
import { createObjectStore, type ObjectStore } from '@app/storage';
import { CommandRefused } from '../output.js';
import type { Tools } from '../workplace.js';

/** Works on the object store of the settings, and closes it. */
export async function withStore<T>(
  { foundation, dataSource }: Tools,
  work: (store: ObjectStore) => Promise<T>,
): Promise<T> {
  if ((await readSchemaState(dataSource)).pending.length > 0)
    throw new CommandRefused('The database schema is not up to date: run `migrate` first.');
  const store = await createObjectStore(storeOptions(foundation));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
