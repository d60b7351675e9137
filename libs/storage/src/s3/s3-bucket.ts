import {
  CreateBucketCommand,
  HeadBucketCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
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

/** Incomplete multipart uploads expire after a week. */
async function configureBucket(
  client: S3Client,
  { bucket, corsOrigins = [] }: S3StoreOptions,
): Promise<void> {
  if (corsOrigins.length > 0) {
    const rule = {
      AllowedOrigins: corsOrigins,
      AllowedMethods: ['GET', 'HEAD', 'PUT'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Disposition'],
      MaxAgeSeconds: 600,
    };
    await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }));
  }
  const expireUploads = {
    ID: 'forgotten-uploads',
    Status: 'Enabled' as const,
    Filter: { Prefix: '' },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
  };
  await client.send(
    new PutBucketLifecycleConfigurationCommand({
      Bucket: bucket,
      LifecycleConfiguration: { Rules: [expireUploads] },
    }),
  );
}

/** @throws StoreUnavailableError */
export async function assertBucketExists(client: S3Client, bucket: string): Promise<void> {
  if (!(await bucketExists(client, bucket)))
    throw new StoreUnavailableError(`The bucket ${bucket} does not exist.`);
}

/** Creates the bucket if it is missing and creation is permitted. */
export async function ensureBucket(client: S3Client, options: S3StoreOptions): Promise<void> {
  if (await bucketExists(client, options.bucket)) return;
  if (options.createBucket === false) return assertBucketExists(client, options.bucket);
  await createBucket(client, options, options.endpoint === undefined);
  await configureBucket(client, options);
}
