import { afterEach, expect, it, vi } from 'vitest';
import { checkBucketCredentialsExpiry } from './bucket-credentials-expiry-check.js';

const OPTIONS = { bucket: 'audio', region: 'eu-west-1', forcePathStyle: true };

afterEach(() => vi.unstubAllEnvs());

it('doctor accepts a key that does not expire', async () => {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
  expect(await checkBucketCredentialsExpiry({ ...OPTIONS, credentials })).toMatchObject({ status: 'ok' });
});

it('doctor warns when signed URLs end with the credentials that the SDK found', async () => {
  const variables = {
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'token',
    AWS_CREDENTIAL_EXPIRATION: '2126-11-28T12:00:00Z',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  expect(await checkBucketCredentialsExpiry(OPTIONS)).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('2126-11-28T12:00:00.000Z') as string,
  });
});
