import { expect, it } from 'vitest';
import { createS3ErrorResponse, startFakeS3Server, type FakeS3Response } from '../testing/fake-s3-server.js';
import { keepsDeletedVersions } from './s3-bucket-versioning.js';

const ENABLED = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>';
const EXPIRES =
  '<LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status><Filter><Prefix></Prefix></Filter><NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration></Rule></LifecycleConfiguration>';
const NO_RULES = createS3ErrorResponse(404, 'NoSuchLifecycleConfiguration');

async function check(versioning: FakeS3Response, lifecycle = NO_RULES): Promise<boolean | undefined> {
  await using server = await startFakeS3Server(({ path }) =>
    path.includes('?versioning') ? versioning : lifecycle,
  );
  return await keepsDeletedVersions(server.options);
}

it('a bucket with versions keeps what is deleted, unless a rule expires earlier versions', async () => {
  expect(await check({ status: 200, body: ENABLED })).toBe(true);
  expect(await check({ status: 200, body: ENABLED }, { status: 200, body: EXPIRES })).toBe(false);
  expect(await check({ status: 200, body: '<VersioningConfiguration/>' })).toBe(false);
});

it.each([
  [403, 'AccessDenied'],
  [501, 'NotImplemented'],
])('a bucket that answers %i %s does not tell', async (status, code) => {
  expect(await check(createS3ErrorResponse(status, code))).toBeUndefined();
});
