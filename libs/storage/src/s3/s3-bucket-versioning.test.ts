import { expect, it } from 'vitest';
import { createS3ErrorResponse, startFakeS3Server, type FakeS3Response } from '../testing/fake-s3-server.js';
import { type DeletedVersionRetention, readDeletedVersionRetention } from './s3-bucket-versioning.js';

const ENABLED = {
  status: 200,
  body: '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
};
const NO_RULES = createS3ErrorResponse(404, 'NoSuchLifecycleConfiguration');

const createRule = (filter: string, expiration = '<NoncurrentDays>1</NoncurrentDays>') => ({
  status: 200,
  body: `<LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status>${filter}<NoncurrentVersionExpiration>${expiration}</NoncurrentVersionExpiration></Rule></LifecycleConfiguration>`,
});

async function read(versioning: FakeS3Response, lifecycle = NO_RULES): Promise<DeletedVersionRetention> {
  await using server = await startFakeS3Server(({ path }) =>
    path.includes('?versioning') ? versioning : lifecycle,
  );
  return await readDeletedVersionRetention(server.options);
}

it('a bucket without versioning keeps nothing of what is deleted', async () => {
  expect(await read({ status: 200, body: '<VersioningConfiguration/>' })).toBe('not-kept');
});

it('a bucket with versioning and no rules keeps what is deleted', async () => {
  expect(await read(ENABLED)).toBe('kept');
});

it.each([
  ['<Filter><Prefix></Prefix></Filter>', undefined, 'not-kept'],
  ['<Prefix></Prefix>', undefined, 'not-kept'],
  ['<Filter><Prefix>logs/</Prefix></Filter>', undefined, 'kept'],
  ['<Prefix>logs/</Prefix>', undefined, 'kept'],
  ['<Filter><Tag><Key>a</Key><Value>b</Value></Tag></Filter>', undefined, 'kept'],
  [
    '<Filter><And><Prefix></Prefix><ObjectSizeLessThan>9</ObjectSizeLessThan></And></Filter>',
    undefined,
    'kept',
  ],
  ['<Filter><ObjectSizeGreaterThan>9</ObjectSizeGreaterThan></Filter>', undefined, 'kept'],
  [
    '<Filter/>',
    '<NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>2</NewerNoncurrentVersions>',
    'kept',
  ],
])('with a rule of %s that expires %s, earlier versions are %s', async (filter, expiration, expected) => {
  expect(await read(ENABLED, createRule(filter, expiration))).toBe(expected);
});

it.each([
  createS3ErrorResponse(403, 'AccessDenied'),
  createS3ErrorResponse(501, 'NotImplemented'),
  { status: 200, body: 'no XML' },
])('after the response $status $body to either request, that part is unknown', async (answer) => {
  expect(await read(answer)).toBe('unknown');
  expect(await read(ENABLED, answer)).toBe('kept-unless-a-rule-expires-them');
});

it('a server that does not answer is an error', async () => {
  const { options } = await startFakeS3Server(() => NO_RULES).then(async (server) => {
    await server[Symbol.asyncDispose]();
    return server;
  });
  await expect(readDeletedVersionRetention(options)).rejects.toThrow('ECONNREFUSED');
});
