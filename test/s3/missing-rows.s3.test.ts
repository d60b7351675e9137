import { randomUUID } from 'node:crypto';
import { S3ObjectStore } from '@app/storage';
import { afterAll, beforeAll } from 'vitest';
import { describeMissingRows } from '../integration/missing-rows.suite.js';
import { createStoreHelpers } from '../support/throwaway-store.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

let s3: Radosgw;
beforeAll(async () => {
  s3 = await startRadosgw();
});
afterAll(() => s3?.stop());

describeMissingRows('S3', async () => {
  const { endpoint, region, credentials } = s3;
  const bucket = `b-${randomUUID()}`;
  const store = new S3ObjectStore({ endpoint, region, credentials, bucket, forcePathStyle: true });
  await store.provision();
  return { ...createStoreHelpers(store), close: () => store.close() };
});
