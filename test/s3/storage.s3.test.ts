import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type S3StoreOptions, StoreUnavailableError } from '@app/storage';
import { objectStoreContract } from '../../libs/storage/src/object-store.contract.js';
import { S3ObjectStore } from '../../libs/storage/src/s3/s3-object-store.js';
import { findFreePort } from '../support/child-process.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';

let s3: Radosgw;
beforeAll(async () => {
  const startedAt = Date.now();
  s3 = await startRadosgw();
  console.log(`radosgw is ready after ${Date.now() - startedAt} ms`);
});
afterAll(() => s3?.stop());

function createStore(changes: Partial<S3StoreOptions> = {}): S3ObjectStore {
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
  const store = createStore();
  return { store, close: () => store.close() };
});

describe('S3 settings', () => {
  it('the store creates the bucket once, or reports that it is missing', async () => {
    const bucket = `b-${randomUUID()}`;
    await expect(createStore({ bucket, createBucket: false }).provision()).rejects.toThrow(/does not exist/);
    await expect(createStore({ bucket }).ping()).rejects.toThrow(/does not exist/);
    await Promise.all([createStore({ bucket }).provision(), createStore({ bucket }).provision()]);
    await createStore({ bucket, createBucket: false }).provision();
    await createStore({ bucket }).ping();
  });

  it('a store with a wrong secret fails, and its signed URLs are rejected', async () => {
    const bucket = `b-${randomUUID()}`;
    await createStore({ bucket }).provision();
    const credentials = { ...s3.credentials, secretAccessKey: 'not-the-secret' };
    const store = createStore({ bucket, credentials });
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.head('a')).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.put('a', Buffer.from('x'), 'text/plain')).rejects.toBeInstanceOf(
      StoreUnavailableError,
    );
    const url = await store.presignPut({ key: 'a', contentType: 'text/plain', expiresIn: 60 });
    const response = await fetch(url, {
      method: 'PUT',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(403);
    expect(await createStore({ bucket }).head('a')).toBeNull();
  });

  it('the store reports within seconds that the server does not respond', async () => {
    const store = createStore({ endpoint: `http://127.0.0.1:${await findFreePort()}`, maxAttempts: 2 });
    const startedAt = Date.now();
    await expect(store.ping()).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.head('a')).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(store.get('a')).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  it('signed URLs use the public endpoint', async () => {
    const bucket = `b-${randomUUID()}`;
    const publicEndpoint = s3.endpoint.replace('127.0.0.1', 'localhost');
    const store = createStore({ bucket, publicEndpoint });
    await store.provision();
    const url = await store.presignPut({ key: 'a', contentType: 'text/plain', expiresIn: 60 });
    expect(new URL(url).origin).toBe(publicEndpoint);
    const response = await fetch(url, {
      method: 'PUT',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(200);
    expect(await store.head('a')).toMatchObject({ size: 1 });
  });

  it('pages of the configured origins can PUT and read the ETag', async () => {
    const origin = 'https://console.example';
    const store = createStore({ corsOrigins: [origin] });
    await store.provision();
    const url = await store.presignPut({ key: 'a', contentType: 'text/plain', expiresIn: 60 });
    const fetchFromOrigin = (from: string) =>
      fetch(url, {
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
