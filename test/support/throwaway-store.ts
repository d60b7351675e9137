import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileObjectStore, type ObjectStore } from '@app/storage';

export interface ThrowawayStore<S extends ObjectStore = ObjectStore> {
  store: S;
  /** Some bytes under a key: it is the key that counts. */
  put(key: string): Promise<unknown>;
  /** All keys under the prefixes, prefix by prefix, each in order. */
  keys(...prefixes: string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** A store of files in a folder of its own, which goes with it. No server is in front of it. */
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

/** What tests do with a store of any kind. */
export function createStoreHelpers<S extends ObjectStore>(store: S): Omit<ThrowawayStore<S>, 'close'> {
  return {
    store,
    put: (key) => store.put(key, Buffer.from('bytes'), 'audio/wav'),
    keys: async (...prefixes) => {
      const found: string[] = [];
      for (const prefix of prefixes) for await (const { key } of store.list(prefix)) found.push(key);
      return found;
    },
  };
}
