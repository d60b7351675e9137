import { z } from 'zod';
import { address, flag, integer, secret, variable } from '../variable.js';

export const database = {
  url: secret(
    'DATABASE_URL',
    address('postgres:', 'postgresql:').optional(),
    'Postgres 14 or later. Unset: an embedded Postgres in `DATA_DIR`.',
  ),
  poolSize: variable('DATABASE_POOL_SIZE', integer(2, 500).default(12), 'Connections of one process.'),
};

export const queue = {
  redisUrl: secret(
    'REDIS_URL',
    address('redis:', 'rediss:').optional(),
    'Redis 6.2 or later for the queues. Unset: the queues live in Postgres.',
  ),
  redisPrefix: variable('REDIS_PREFIX', z.string().min(1).default('zephyr'), 'Prefix of every Redis key.'),
};

export const storage = {
  s3Bucket: variable(
    'S3_BUCKET',
    z.string().min(1).optional(),
    'Bucket for audio and transcripts. Unset: files in `DATA_DIR/objects` behind signed addresses of the API.',
  ),
  s3Endpoint: variable(
    'S3_ENDPOINT',
    address('http:', 'https:').optional(),
    'Address of an S3-compatible server. Unset: AWS.',
  ),
  s3PublicEndpoint: variable(
    'S3_PUBLIC_ENDPOINT',
    address('http:', 'https:').optional(),
    'Address of the same server as callers see it, used in presigned addresses. Default: `S3_ENDPOINT`.',
  ),
  s3Region: variable('S3_REGION', z.string().min(1).default('us-east-1'), 'Region of the bucket.'),
  s3AccessKeyId: secret(
    'S3_ACCESS_KEY_ID',
    z.string().min(1).optional(),
    'Access key. Unset: what the AWS SDK finds by itself.',
  ),
  s3SecretAccessKey: secret(
    'S3_SECRET_ACCESS_KEY',
    z.string().min(1).optional(),
    'Secret of the access key.',
  ),
  s3ForcePathStyle: variable(
    'S3_FORCE_PATH_STYLE',
    flag().default(true),
    'Bucket in the path instead of in the host name; most self-hosted servers need it.',
  ),
};
