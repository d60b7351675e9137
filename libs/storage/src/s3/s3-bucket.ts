import { CreateBucketCommand, HeadBucketCommand, type S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailableError } from '../store-errors.js';
import { s3ErrorName, s3HttpStatus } from './s3-errors.js';
import type { S3StoreOptions } from './s3-store-options.js';

const ALREADY_EXISTS_ERRORS = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);

async function bucketExists(client: S3Client, bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    if (s3HttpStatus(error) === 404) return false;
    throw error;
  }
}

async function createBucket(
  client: S3Client,
  { bucket, region }: S3StoreOptions,
  isAmazon: boolean,
): Promise<void> {
  // Only Amazon requires its region, and rejects `us-east-1`.
  const constraint = isAmazon && region !== 'us-east-1' ? { LocationConstraint: region } : undefined;
  const command = new CreateBucketCommand({
    Bucket: bucket,
    CreateBucketConfiguration: constraint as { LocationConstraint: 'eu-west-1' } | undefined,
  });
  try {
    await client.send(command);
  } catch (error) {
    if (!ALREADY_EXISTS_ERRORS.has(s3ErrorName(error) ?? '')) throw error;
  }
}

/** @throws StoreUnavailableError */
export async function assertBucketExists(client: S3Client, bucket: string): Promise<void> {
  if (!(await bucketExists(client, bucket))) throw missingBucketError(bucket);
}

/** Creates the bucket if it is missing and creation is permitted. @returns whether it was missing */
export async function createBucketIfMissing(client: S3Client, options: S3StoreOptions): Promise<boolean> {
  if (await bucketExists(client, options.bucket)) return false;
  if (options.createBucket === false) throw missingBucketError(options.bucket);
  await createBucket(client, options, options.endpoint === undefined);
  return true;
}

function missingBucketError(bucket: string): StoreUnavailableError {
  return new StoreUnavailableError(`The bucket ${bucket} does not exist.`);
}
