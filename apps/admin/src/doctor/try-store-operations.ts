import { randomUUID } from 'node:crypto';
import { describeError } from '@app/errors';
import type { ObjectStore, OpenMultipartUpload } from '@app/storage';

/** Keys below it belong to no job, so that no cleanup and no command looks at them. */
const PREFIX = 'doctor/';

/**
 * Writes, reads, lists and deletes a small object of its own, and begins, lists and aborts an upload in parts.
 * @throws Error that names the operations which fail, and the object if it stays
 */
export async function tryStoreOperations(store: ObjectStore): Promise<void> {
  const failures: string[] = [];
  const tryOperation = async (name: string, run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run();
      return true;
    } catch (error) {
      failures.push(`${name} (${describeError(error)})`);
      return false;
    }
  };
  const key = `${PREFIX}${randomUUID()}`;
  let isDeleted = true;
  if (await tryOperation('write', () => store.put(key, Buffer.from('doctor'), 'text/plain'))) {
    await tryOperation('read', async () => readToEnd(await store.get(key)));
    await tryOperation('list', () => readToEnd(store.list(PREFIX)));
    isDeleted = await tryOperation('delete', () => store.deleteAll({ keys: [key], prefixes: [] }));
  }
  let uploadId = '';
  const begin = async () => (uploadId = await store.createMultipart(key, 'text/plain'));
  if (await tryOperation('begin uploads in parts', begin)) {
    const uploads: OpenMultipartUpload[] = [];
    // MinIO lists uploads only by their whole key.
    await tryOperation('list uploads in parts', async () => {
      for await (const upload of store.listUploads(key)) uploads.push(upload);
    });
    await tryOperation('list parts of an upload', async () => {
      for (const { readPartsVersion } of uploads) await readPartsVersion();
    });
    await tryOperation('abort uploads in parts', () => store.abortMultipart(key, uploadId));
  }
  const cleanup = isDeleted ? '' : `. Delete ${key} by other means.`;
  if (failures.length > 0) throw new Error(`it does not ${failures.join(', ')}${cleanup}`);
}

async function readToEnd(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}
