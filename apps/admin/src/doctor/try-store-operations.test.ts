import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, StoreUnavailableError } from '@app/storage';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { tryStoreOperations } from './try-store-operations.js';

let root: string;
let store: FileObjectStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'doctor-store-'));
  store = await FileObjectStore.open({
    root,
    publicUrl: 'http://127.0.0.1:1',
    signingKeys: [{ id: 'k1', key: Buffer.alloc(32, 1) }],
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  await rm(root, { recursive: true, force: true });
});

async function listKeys(items: AsyncIterable<{ key: string }>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of items) keys.push(key);
  return keys;
}

it('tryStoreOperations leaves neither an object nor an open upload, and uses keys that no job has', async () => {
  const put = vi.spyOn(store, 'put');
  await tryStoreOperations(store);
  expect(put.mock.calls[0]?.[0]).toMatch(/^doctor\//);
  expect(await listKeys(store.list(''))).toEqual([]);
  expect(await listKeys(store.listUploads(''))).toEqual([]);
});

it('tryStoreOperations names every operation that the store refuses', async () => {
  const refusal = new StoreUnavailableError('The object store does not serve (AccessDenied).');
  vi.spyOn(store, 'get').mockRejectedValue(refusal);
  vi.spyOn(store, 'deleteAll').mockRejectedValue(refusal);
  await expect(tryStoreOperations(store)).rejects.toThrow(
    'it does not read (The object store does not serve (AccessDenied).), delete (The object store does not serve (AccessDenied).)',
  );
});

it('tryStoreOperations names the object that stays if it may not be deleted', async () => {
  vi.spyOn(store, 'deleteAll').mockRejectedValue(new StoreUnavailableError('Refused.'));
  const refused = await tryStoreOperations(store).catch((error: unknown) => String(error));
  const [left] = await listKeys(store.list(''));
  expect(refused).toBe(`Error: it does not delete (Refused.). Delete ${left} by other means.`);
});

it('tryStoreOperations names a refusal to list the parts of an upload', async () => {
  const readPartsVersion = () => Promise.reject(new StoreUnavailableError('Refused.'));
  const listUploads = vi.spyOn(store, 'listUploads').mockImplementation(async function* (key) {
    yield { key, uploadId: 'u', readPartsVersion };
  });
  await expect(tryStoreOperations(store)).rejects.toThrow('it does not list parts of an upload (Refused.)');
  expect(listUploads).toHaveBeenCalledWith(expect.stringMatching(/^doctor\/.{36}$/));
});

it('tries uploads in parts also if nothing can be written', async () => {
  vi.spyOn(store, 'put').mockRejectedValue(new StoreUnavailableError('Full.'));
  const abort = vi.spyOn(store, 'abortMultipart');
  await expect(tryStoreOperations(store)).rejects.toThrow('it does not write (Full.)');
  expect(abort).toHaveBeenCalledOnce();
});
