import { DeleteObjectsCommand, type S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailableError } from '../store-errors.js';

/** The limit of S3. */
const KEYS_PER_REQUEST = 1_000;

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
    const [failed] = (await client.send(command)).Errors ?? [];
    if (failed)
      throw new StoreUnavailableError(`The object store did not delete ${failed.Key} (${failed.Code}).`);
  }
}
