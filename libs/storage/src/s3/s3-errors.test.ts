import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../store-errors.js';
import { createS3ErrorResponse, startFakeS3Server } from '../testing/fake-s3-server.js';

describe('errors of the store, its settings or its credentials', () => {
  it.each([
    [400, 'ExpiredToken'],
    [400, 'InvalidToken'],
    [400, 'TokenRefreshRequired'],
    [400, 'AuthorizationHeaderMalformed'],
    [400, 'RequestTimeout'],
    [301, 'PermanentRedirect'],
    [403, 'AccessDenied'],
    [503, 'SlowDown'],
  ])('%i %s is an unavailable store', async (status, code) => {
    await using server = await startFakeS3Server(() => createS3ErrorResponse(status, code));
    await expect(server.store.get('jobs/1/audio')).rejects.toThrow(StoreUnavailableError);
  });

  it.each([301, 400])('%i without a body, as for HEAD, is an unavailable store', async (status) => {
    await using server = await startFakeS3Server(() => ({ status }));
    await expect(server.store.head('jobs/1/audio')).rejects.toThrow(StoreUnavailableError);
    await expect(server.store.ping()).rejects.toThrow(StoreUnavailableError);
  });
});

it('an error of the request is no unavailable store', async () => {
  await using server = await startFakeS3Server(() => createS3ErrorResponse(400, 'InvalidArgument'));
  await expect(server.store.get('jobs/1/audio')).rejects.toMatchObject({ name: 'InvalidArgument' });
});
