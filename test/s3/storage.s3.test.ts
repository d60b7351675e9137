import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { S3ObjectStore } from '@app/storage';
import { objectStoreContract } from '../../libs/storage/src/object-store.contract.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

let s3: Radosgw;
beforeAll(async () => {
  const began = Date.now();
  s3 = await startRadosgw();
  console.log(`radosgw answers after ${Date.now() - began} ms`);
});
afterAll(() => s3?.stop());

objectStoreContract('the S3 store', async () => {
  const { endpoint, region, credentials } = s3;
  const store = new S3ObjectStore({
    endpoint,
    region,
    credentials,
    bucket: `b-${randomUUID()}`,
    forcePathStyle: true,
  });
  return { store, close: () => store.close() };
});
