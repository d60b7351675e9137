import { afterAll, beforeAll, describe } from 'vitest';
import { signedUrlContract } from './contract/signed-url.contract.js';
import { bytesContract } from './contract/bytes.contract.js';
import { keysContract } from './contract/keys.contract.js';
import { multipartContract } from './contract/multipart.contract.js';
import type { ObjectStore } from './object-store.js';

export interface StoreUnderTest {
  store: ObjectStore;
  close(): Promise<void>;
}

/** What every object store has to do. Its URLs are used over HTTP, so the factory also starts the server behind them. */
export function objectStoreContract(name: string, start: () => Promise<StoreUnderTest>): void {
  describe(`${name} object store`, () => {
    let running: StoreUnderTest | undefined;
    beforeAll(async () => {
      running = await start();
      await running.store.provision();
      await running.store.ping();
    });
    afterAll(() => running?.close());
    const store = () => {
      if (running === undefined) throw new Error('The store did not start.');
      return running.store;
    };

    bytesContract(store);
    keysContract(store);
    signedUrlContract(store);
    multipartContract(store);
  });
}
