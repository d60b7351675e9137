import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createS3Client } from './s3-client.js';
import { s3HttpStatus } from './s3-errors.js';
import type { S3StoreOptions } from './s3-store-options.js';

/**
 * Whether the bucket keeps a version of each object that is deleted, for ever.
 * @returns undefined if the server or the credentials do not tell
 */
export async function keepsDeletedVersions(options: S3StoreOptions): Promise<boolean | undefined> {
  const client = createS3Client(options, options.endpoint);
  try {
    const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket: options.bucket }));
    return Status === 'Enabled' && !(await expiresEarlierVersions(client, options.bucket));
  } catch (error) {
    if (error instanceof S3ServiceException) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

async function expiresEarlierVersions(client: S3Client, bucket: string): Promise<boolean> {
  try {
    const command = new GetBucketLifecycleConfigurationCommand({ Bucket: bucket });
    const { Rules = [] } = await client.send(command);
    return Rules.some(
      ({ Status, NoncurrentVersionExpiration }) =>
        Status === 'Enabled' && NoncurrentVersionExpiration !== undefined,
    );
  } catch (error) {
    if (s3HttpStatus(error) === 404) return false;
    throw error;
  }
}
