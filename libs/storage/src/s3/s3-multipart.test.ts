import { describe, expect, it } from 'vitest';
import type { UploadedPart } from '../object-store.js';
import { InvalidPartsError } from '../store-errors.js';
import { type FakeS3Response, createS3ErrorResponse, startFakeS3Server } from '../testing/fake-s3-server.js';

const KEY = 'audio/1';
/** As Cloudflare R2 makes them. */
const OPAQUE_ETAGS = ['APr8E3hQvFmHZ3yB0l', 'AKw7fU1c7Xg0Pn8a2d'];
const MD5_ETAGS = ['9dd4e461268c8034f5c8564e155c67a6', '415290769594460e2e485922904f345d'];
const UNRELATED_MD5 = '0123456789abcdef0123456789abcdef';

/** Completes an upload that is not open any more. @param objectEtag undefined: there is no object */
async function completeAgain(etags: string[], objectEtag: string | undefined) {
  const head: FakeS3Response =
    objectEtag === undefined ? { status: 404 } : { status: 200, headers: { etag: `"${objectEtag}"` } };
  await using server = await startFakeS3Server(({ method, path }) => {
    if (method !== 'HEAD') return createS3ErrorResponse(404, 'NoSuchUpload');
    return path.includes(KEY) ? head : { status: 200 };
  });
  const parts: UploadedPart[] = etags.map((etag, index) => ({ partNumber: index + 1, etag }));
  return await server.store.completeMultipart(KEY, 'upload', parts);
}

describe('a completion that is repeated after its response was lost', () => {
  it('succeeds if the object has the etag of the parts', async () => {
    const etag = 'be6996cb706f34d65b9fee8745325abf-2';
    await expect(completeAgain(MD5_ETAGS, `${UNRELATED_MD5}-2`)).rejects.toThrow(InvalidPartsError);
    await expect(completeAgain(MD5_ETAGS, etag)).resolves.toMatchObject({ key: KEY, etag });
  });

  it.each([`${UNRELATED_MD5}-2`, UNRELATED_MD5, 'opaque'])(
    'succeeds on a store whose etags of parts are no MD5, with the object %s',
    async (etag) => {
      await expect(completeAgain(OPAQUE_ETAGS, etag)).resolves.toMatchObject({ key: KEY, etag });
    },
  );

  it('is rejected if there is no object, or one of another number of parts', async () => {
    await expect(completeAgain(OPAQUE_ETAGS, undefined)).rejects.toThrow(InvalidPartsError);
    await expect(completeAgain(OPAQUE_ETAGS, `${UNRELATED_MD5}-3`)).rejects.toThrow(InvalidPartsError);
  });
});
