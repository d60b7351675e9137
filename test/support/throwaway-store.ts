import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, type ObjectStore } from '@app/storage';

export interface ThrowawayStore<S extends ObjectStore = ObjectStore> {
  store: S;
  /** Stores arbitrary bytes under the key. */
  putBytes(key: string): Promise<unknown>;
  /** All keys under the prefixes, prefix by prefix, each sorted. */
  listKeys(...prefixes: string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Creates a file store in a temporary folder, without an HTTP server. */
export async function createThrowawayStore(): Promise<ThrowawayStore<FileObjectStore>> {
  const root = await mkdtemp(join(tmpdir(), 'zephyr-store-'));
  const signingKeys = [{ id: 'k', key: Buffer.alloc(32) }];
  const store = await FileObjectStore.open({ root, publicUrl: 'http://127.0.0.1', signingKeys });
  return {
    ...createStoreHelpers(store),
    close: async () => {
      await store.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export function createStoreHelpers<S extends ObjectStore>(store: S): Omit<ThrowawayStore<S>, 'close'> {
  return {
    store,
    putBytes: (key) => store.put(key, Buffer.from('bytes'), 'audio/wav'),
    listKeys: async (...prefixes) => {
      const found: string[] = [];
      for (const prefix of prefixes) for await (const { key } of store.list(prefix)) found.push(key);
      return found;
    },
  };
}
