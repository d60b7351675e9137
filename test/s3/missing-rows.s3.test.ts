import { randomUUID } from 'node:crypto';
import { createObjectStore } from '@app/storage';
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
  const options = { endpoint, region, credentials, bucket, forcePathStyle: true };
  const store = await createObjectStore({ kind: 's3', ...options });
  await store.provision();
  return { ...createStoreHelpers(store), close: () => store.close() };
});
