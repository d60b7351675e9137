import { createHash } from 'node:crypto';
import { DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailableError } from '../store-errors.js';

/** The limit of S3. */
const KEYS_PER_REQUEST = 1_000;
const CHECKSUM_HEADER = /^x-amz-(sdk-)?checksum-/i;

/** @throws StoreUnavailableError with the first key that was not deleted */
export async function deleteObjectsByKey(
  client: S3Client,
  bucket: string,
  keys: readonly string[],
): Promise<void> {
  for (let from = 0; from < keys.length; from += KEYS_PER_REQUEST) {
    const command = new DeleteObjectsCommand({
      Bucket: bucket,
      Delete: { Objects: keys.slice(from, from + KEYS_PER_REQUEST).map((Key) => ({ Key })), Quiet: true },
    });
    sendContentMd5(command);
    const [failed] = (await client.send(command)).Errors ?? [];
    if (failed)
      throw new StoreUnavailableError(`The object store did not delete ${failed.Key} (${failed.Code}).`);
  }
}

/**
 * Replaces the SDK's CRC-32. Older servers with the interface of S3 require `Content-MD5` and reject the request without
 * it; all accept it.
 */
function sendContentMd5({ middlewareStack }: DeleteObjectsCommand): void {
  middlewareStack.add(
    (next) => (input) => {
      const { headers, body } = input.request as {
        headers: Record<string, string>;
        body: string | Uint8Array;
      };
      for (const name of Object.keys(headers)) if (CHECKSUM_HEADER.test(name)) delete headers[name];
      headers['content-md5'] = createHash('md5').update(body).digest('base64');
      return next(input);
    },
    // After the SDK's checksum and before the signature.
    { step: 'build', priority: 'low', name: 'sendContentMd5' },
  );
}
