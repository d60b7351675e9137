import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3ObjectStore, type S3StoreOptions, StoreUnavailableError } from '@app/storage';
import { objectStoreContract } from '../../libs/storage/src/object-store.contract.js';
import { findFreePort } from '../support/child-process.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

let s3: Radosgw;
beforeAll(async () => {
  const startedAt = Date.now();
  s3 = await startRadosgw();
  console.log(`radosgw answers after ${Date.now() - startedAt} ms`);
});
afterAll(() => s3?.stop());

function storeWith(changes: Partial<S3StoreOptions> = {}): S3ObjectStore {
  const { endpoint, region, credentials } = s3;
  return new S3ObjectStore({
    endpoint,
    region,
    credentials,
    bucket: `b-${randomUUID()}`,
    forcePathStyle: true,
    ...changes,
  });
}

objectStoreContract('the S3 store', async () => {
  const store = storeWith();
  return { store, close: () => store.close() };
});

describe('S3 settings', () => {
  it('the store creates the bucket once, or reports that it is missing', async () => {
    const bucket = `b-${randomUUID()}`;
    await expect(storeWith({ bucket, createBucket: false }).provision()).rejects.toThrow(/does not exist/);
    await expect(storeWith({ bucket }).ping()).rejects.toThrow(/does not exist/);
    await Promise.all([storeWith({ bucket }).provision(), storeWith({ bucket }).provision()]);
    await storeWith({ bucket, createBucket: false }).provision();
    await storeWith({ bucket }).ping();
  });

  it('a store with a wrong secret fails, and its signed URLs are rejected', async () => {
    const bucket = `b-${randomUUID()}`;
    await storeWith({ bucket }).provision();
    const credentials = { ...s3.credentials, secretAccessKey: 'not-the-secret' };
    const store = storeWith({ bucket, credentials });
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.head('a')).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.put('a', Buffer.from('x'), 'text/plain')).rejects.toBeInstanceOf(
      StoreUnavailableError,
    );
    const address = await store.presignPut({ key: 'a', contentType: 'text/plain', expiresIn: 60 });
    const response = await fetch(address, {
      method: 'PUT',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(403);
    expect(await storeWith({ bucket }).head('a')).toBeNull();
  });

  it('the store reports within seconds that nothing answers', async () => {
    const store = storeWith({ endpoint: `http://127.0.0.1:${await findFreePort()}`, maxAttempts: 2 });
    const startedAt = Date.now();
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.head('a')).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.get('a')).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  it('signed URLs use the public endpoint', async () => {
    const bucket = `b-${randomUUID()}`;
    const publicEndpoint = s3.endpoint.replace('127.0.0.1', 'localhost');
    const store = storeWith({ bucket, publicEndpoint });
    await store.provision();
    const address = await store.presignPut({ key: 'a', contentType: 'text/plain', expiresIn: 60 });
    expect(new URL(address).origin).toBe(publicEndpoint);
    const response = await fetch(address, {
      method: 'PUT',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(200);
    expect(await store.head('a')).toMatchObject({ size: 1 });
  });

  it('pages of the configured origins can PUT and read the ETag', async () => {
    const origin = 'https://console.example';
    const store = storeWith({ corsOrigins: [origin] });
    await store.provision();
    const address = await store.presignPut({ key: 'a', contentType: 'text/plain', expiresIn: 60 });
    const fetchFromOrigin = (from: string) =>
      fetch(address, {
        method: 'OPTIONS',
        headers: {
          origin: from,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'content-type',
        },
      });
    const allowed = await fetchFromOrigin(origin);
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    expect(allowed.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('etag');
    expect(
      (await fetchFromOrigin('https://elsewhere.example')).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });
});
