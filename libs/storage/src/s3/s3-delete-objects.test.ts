import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { StoreUnavailableError } from '../store-errors.js';
import { startFakeS3Server } from '../testing/fake-s3-server.js';

const NOTHING_FAILED = { status: 200, body: '<DeleteResult></DeleteResult>' };

it('the S3 store deletes with the checksum that every server with the interface of S3 knows, and signs it', async () => {
  await using server = await startFakeS3Server(() => NOTHING_FAILED);
  await server.store.deleteAll({ keys: ['audio/1', 'audio/2'], prefixes: [] });
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'POST', path: '/audio/?delete=' });
  expect(String(request?.body)).toContain('<Key>audio/1</Key>');
  const { headers, body = '' } = request ?? {};
  expect(headers?.['content-md5']).toBe(createHash('md5').update(body).digest('base64'));
  expect(headers?.authorization).toMatch(/SignedHeaders=[^,]*content-md5/);
  expect(Object.keys(headers ?? {}).filter((name) => name.includes('checksum'))).toEqual([]);
});

it('an object that was not deleted is an error of the store', async () => {
  const body =
    '<DeleteResult><Error><Key>audio/1</Key><Code>InternalError</Code><Message>m</Message></Error></DeleteResult>';
  await using server = await startFakeS3Server(() => ({ status: 200, body }));
  await expect(server.store.deleteAll({ keys: ['audio/1'], prefixes: [] })).rejects.toThrow(
    new StoreUnavailableError('The object store did not delete audio/1 (InternalError).'),
  );
});
