import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ObjectStore } from '../object-store.js';
import { InvalidPartsError, ObjectNotFoundError, StoreUnavailableError } from '../store-errors.js';
import {
  createS3ErrorResponse,
  type FakeS3Response,
  type ReceivedS3Request,
  startFakeS3Server,
} from '../testing/fake-s3-server.js';

const KEY = 'jobs/1/audio';
const MISSING: FakeS3Response = { status: 404 };
const PAGE: FakeS3Response = {
  status: 404,
  headers: { 'content-type': 'text/html' },
  body: '<html><hr></html>',
};

const isOfBucket = ({ method, path }: ReceivedS3Request) => method === 'HEAD' && /^\/audio\/?$/.test(path);
/** HEAD has no body. */
const respond404 =
  (bucket: FakeS3Response, body: FakeS3Response = createS3ErrorResponse(404, 'NoSuchKey')) =>
  (request: ReceivedS3Request) => {
    if (isOfBucket(request)) return bucket;
    return request.method === 'HEAD' ? MISSING : body;
  };

const CALLS: [string, (store: ObjectStore) => Promise<unknown>][] = [
  ['head', (store) => store.head(KEY)],
  ['get', (store) => store.get(KEY)],
  ['fetchToFile', (store) => store.fetchToFile(KEY, '/nowhere')],
  ['putIfAbsent', (store) => store.putIfAbsent(KEY, Buffer.from('x'), 'text/plain')],
];

describe('a 404 without the error of S3', () => {
  it.each(CALLS)('is an unavailable store if the bucket is missing: %s', async (_, call) => {
    for (const body of [MISSING, PAGE, createS3ErrorResponse(404, 'NoSuchBucket')]) {
      await using server = await startFakeS3Server(respond404(MISSING, body));
      await expect(call(server.store)).rejects.toThrow(StoreUnavailableError);
    }
  });

  it('is a missing object if the bucket exists', async () => {
    await using server = await startFakeS3Server(respond404({ status: 200 }, MISSING));
    expect(await server.store.head(KEY)).toBeNull();
    await expect(server.store.get(KEY)).rejects.toThrow(ObjectNotFoundError);
  });

  it('is an unavailable store if the bucket cannot be asked for', async () => {
    await using server = await startFakeS3Server(respond404({ status: 503 }));
    await expect(server.store.head(KEY)).rejects.toThrow(StoreUnavailableError);
  });

  it('leaves a repeated completion open if the bucket is missing', async () => {
    const complete = (store: ObjectStore) =>
      store.completeMultipart(KEY, 'upload', [{ partNumber: 1, etag: 'e' }]);
    const gone = createS3ErrorResponse(404, 'NoSuchUpload');
    await using missing = await startFakeS3Server(respond404(MISSING, gone));
    await expect(complete(missing.store)).rejects.toThrow(StoreUnavailableError);
    await using there = await startFakeS3Server(respond404({ status: 200 }, gone));
    await expect(complete(there.store)).rejects.toThrow(InvalidPartsError);
  });
});

describe('the question whether the bucket exists', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('is not asked when S3 names the missing object', async () => {
    await using server = await startFakeS3Server(respond404({ status: 200 }));
    await expect(server.store.get(KEY)).rejects.toThrow(ObjectNotFoundError);
    expect(server.requests.filter(isOfBucket)).toHaveLength(0);
  });

  it('is asked once for many misses of a moment, and again after seconds', async () => {
    await using server = await startFakeS3Server(respond404({ status: 200 }));
    await Promise.all(Array.from({ length: 10 }, () => server.store.head(KEY)));
    await server.store.head(KEY);
    expect(server.requests.filter(isOfBucket)).toHaveLength(1);
    vi.advanceTimersByTime(5_001);
    await server.store.head(KEY);
    expect(server.requests.filter(isOfBucket)).toHaveLength(2);
  });

  it('is asked again at once after a failure', async () => {
    let bucket: FakeS3Response = { status: 404 };
    await using server = await startFakeS3Server((request) => respond404(bucket)(request));
    await expect(server.store.head(KEY)).rejects.toThrow(StoreUnavailableError);
    bucket = { status: 200 };
    expect(await server.store.head(KEY)).toBeNull();
  });
});
