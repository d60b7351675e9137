import {
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { s3HttpStatus } from './s3-errors.js';
import type { S3StoreOptions } from './s3-store-options.js';

interface BucketRule {
  name: string;
  /** What is so without it, and the setting to change. */
  effect: string;
  read: () => Promise<unknown>;
  create: () => Promise<unknown>;
}

/**
 * Creates the rules that the bucket lacks; one that an operator has set is never changed. No rule is required: some
 * servers do not know them, and some credentials may not set them.
 * @param isNewBucket whether the service has created the bucket, which then nobody else configures
 */
export async function createMissingBucketRules(
  client: S3Client,
  options: S3StoreOptions,
  isNewBucket: boolean,
): Promise<void> {
  const { bucket, onRuleRefused = () => undefined } = options;
  for (const { name, effect, read, create } of listRules(client, options))
    try {
      if (await isMissing(read)) await create();
    } catch (error) {
      const isLeftToOperator = !isNewBucket && s3HttpStatus(error) === 403;
      if (!isLeftToOperator)
        onRuleRefused(`the bucket ${bucket} has no ${name} rule, because it cannot be set: ${effect}`, error);
    }
}

async function isMissing(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (s3HttpStatus(error) === 404) return true;
    throw error;
  }
}

function listRules(client: S3Client, { bucket: Bucket, corsOrigins = [] }: S3StoreOptions): BucketRule[] {
  const cors = {
    AllowedOrigins: corsOrigins,
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    ExposeHeaders: ['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Disposition'],
    MaxAgeSeconds: 600,
  };
  const expireUploads = {
    ID: 'forgotten-uploads',
    Status: 'Enabled' as const,
    Filter: { Prefix: '' },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
  };
  const corsRule: BucketRule = {
    name: 'CORS',
    effect:
      'browsers upload from the pages of PUBLIC_URL and CORS_ORIGINS only if a setting of the server allows these origins',
    read: () => client.send(new GetBucketCorsCommand({ Bucket })),
    create: () => client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [cors] } })),
  };
  const lifecycleRule: BucketRule = {
    name: 'lifecycle',
    effect:
      'if BODY_BYTES_PER_SECOND is 0, the parts of interrupted uploads stay, unless a setting of the server deletes them',
    read: () => client.send(new GetBucketLifecycleConfigurationCommand({ Bucket })),
    create: () =>
      client.send(
        new PutBucketLifecycleConfigurationCommand({
          Bucket,
          LifecycleConfiguration: { Rules: [expireUploads] },
        }),
      ),
  };
  return corsOrigins.length > 0 ? [corsRule, lifecycleRule] : [lifecycleRule];
}
