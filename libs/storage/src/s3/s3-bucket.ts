import {
  CreateBucketCommand,
  HeadBucketCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { StoreUnavailable } from '../store-errors.js';
import { refusal, statusOf } from './s3-errors.js';
import type { S3StoreOptions } from './s3-store-options.js';

const ALREADY_THERE = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);

async function exists(client: S3Client, bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

async function create(
  client: S3Client,
  { bucket, region }: S3StoreOptions,
  ownRegions: boolean,
): Promise<void> {
  // Amazon alone wants its region named, and refuses the name of its first one.
  const constraint = ownRegions && region !== 'us-east-1' ? { LocationConstraint: region } : undefined;
  const command = new CreateBucketCommand({
    Bucket: bucket,
    CreateBucketConfiguration: constraint as { LocationConstraint: 'eu-west-1' } | undefined,
  });
  try {
    await client.send(command);
  } catch (error) {
    if (!ALREADY_THERE.has(refusal(error) ?? '')) throw error;
  }
}

/** Pages may send and read; parts that nobody completed go after a week. */
async function prepare(client: S3Client, { bucket, corsOrigins = [] }: S3StoreOptions): Promise<void> {
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
  const cleanUp = {
    ID: 'forgotten-uploads',
    Status: 'Enabled' as const,
    Filter: { Prefix: '' },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
  };
  await client.send(
    new PutBucketLifecycleConfigurationCommand({
      Bucket: bucket,
      LifecycleConfiguration: { Rules: [cleanUp] },
    }),
  );
}

/** @throws StoreUnavailable when there is none. */
export async function findBucket(client: S3Client, bucket: string): Promise<void> {
  if (!(await exists(client, bucket))) throw new StoreUnavailable(`The bucket ${bucket} does not exist.`);
}

/** Resolves when the bucket is there, making it where that is wanted. */
export async function ensureBucket(client: S3Client, options: S3StoreOptions): Promise<void> {
  if (await exists(client, options.bucket)) return;
  if (options.createBucket === false) return findBucket(client, options.bucket);
  await create(client, options, options.endpoint === undefined);
  await prepare(client, options);
}
