import { buffer } from 'node:stream/consumers';
import { RESTORE_NOTE_KEY } from '@app/installation';
import { ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { z } from 'zod';

const note = z.object({
  backup_id: z.uuid(),
  /** That the store is going to have. */
  store_id: z.uuid(),
});

export type RestoreNote = z.infer<typeof note>;

/** @returns null when no restore has begun on the store, or the last one came to its end */
export async function readRestoreNote(store: ObjectStore): Promise<RestoreNote | null> {
  try {
    return note.parse(JSON.parse(String(await buffer(await store.get(RESTORE_NOTE_KEY)))));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return null;
    throw error;
  }
}

export async function writeRestoreNote(store: ObjectStore, value: RestoreNote): Promise<void> {
  await store.put(RESTORE_NOTE_KEY, Buffer.from(JSON.stringify(value)), 'application/json');
}

export function removeRestoreNote(store: ObjectStore): Promise<void> {
  return store.delete(RESTORE_NOTE_KEY);
}
