import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  type LifecycleRule,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createS3Client } from './s3-client.js';
import { s3HttpStatus } from './s3-errors.js';
import type { S3StoreOptions } from './s3-store-options.js';

/** Whether a bucket keeps a version of each object that is deleted, for ever. Rules may be unreadable, or versioning as well. */
export type DeletedVersionRetention = 'not-kept' | 'kept' | 'kept-unless-a-rule-expires-them' | 'unknown';

/** @throws Error if the server does not answer */
export async function readDeletedVersionRetention(options: S3StoreOptions): Promise<DeletedVersionRetention> {
  const client = createS3Client(options, options.endpoint);
  try {
    const command = new GetBucketVersioningCommand({ Bucket: options.bucket });
    const versioning = await returnNullIfRefused(client.send(command));
    if (versioning === null) return 'unknown';
    if (versioning.Status !== 'Enabled') return 'not-kept';
    const rules = await returnNullIfRefused(readLifecycleRules(client, options.bucket));
    if (rules === null) return 'kept-unless-a-rule-expires-them';
    return rules.some(expiresAllEarlierVersions) ? 'not-kept' : 'kept';
  } finally {
    client.destroy();
  }
}

async function readLifecycleRules(client: S3Client, bucket: string): Promise<LifecycleRule[]> {
  try {
    const command = new GetBucketLifecycleConfigurationCommand({ Bucket: bucket });
    return (await client.send(command)).Rules ?? [];
  } catch (error) {
    if (s3HttpStatus(error) === 404) return [];
    throw error;
  }
}

/** Whether a rule covers every object of the bucket. */
function expiresAllEarlierVersions({
  Status,
  Prefix,
  Filter = {},
  NoncurrentVersionExpiration: expiration,
}: LifecycleRule): boolean {
  if (Status !== 'Enabled' || !expiration || expiration.NewerNoncurrentVersions) return false;
  const { Prefix: filterPrefix, ...otherFilters } = Filter;
  const hasOtherFilter = Object.values(otherFilters).some((value) => value !== undefined);
  return !Prefix && !filterPrefix && !hasOtherFilter;
}

/** Also if the response has another form than that of S3. */
async function returnNullIfRefused<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    // Set by the SDK once the server has answered.
    if (error instanceof Error && '$response' in error && error.$response !== undefined) return null;
    throw error;
  });
}
