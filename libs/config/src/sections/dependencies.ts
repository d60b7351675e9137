import { z } from 'zod';
import { url, booleanFlag, byteSize, integer, secret, variable } from '../variable.js';

export const database = {
  url: secret(
    'DATABASE_URL',
    url('postgres:', 'postgresql:').optional(),
    'Address of Postgres, version 14 or later, directly or through a pooler in session mode. Unset: an embedded Postgres in `DATA_DIR`.',
  ),
  startupWaitSeconds: variable(
    'STARTUP_WAIT_SECONDS',
    integer(0, 31_536_000).default(60),
    'Seconds for which a starting program waits until Postgres is reachable, with a log line every five seconds; then it exits with code 1. 0: it does not wait. If Postgres refuses the user, password or database, it exits at once. Operator commands never wait.',
  ),
  poolSize: variable(
    'DATABASE_POOL_SIZE',
    integer(2, 500).default(12),
    'Maximum number of pooled Postgres connections of one process. A queue in Postgres takes up to ten more.',
  ),
};

export const queue = {
  redisUrl: secret(
    'REDIS_URL',
    url('redis:', 'rediss:').optional(),
    'Address of Redis, version 6.2 or later, for the queues. Unset: the queues are in Postgres.',
  ),
  redisPrefix: variable('REDIS_PREFIX', z.string().min(1).default('zephyr'), 'Prefix of every Redis key.'),
};

export const storage = {
  diskReserveBytes: variable(
    'DISK_RESERVE_BYTES',
    byteSize().default(2 ** 30),
    'Free bytes of the disk of the file store below which audio is rejected (503), so that the service itself can go on writing. At most a twentieth of the disk. 0: none.',
  ),
  s3Bucket: variable(
    'S3_BUCKET',
    z.string().min(1).optional(),
    'Bucket for audio and transcripts. Unset: files in `DATA_DIR/objects`, served by the API under signed URLs.',
  ),
  s3Endpoint: variable(
    'S3_ENDPOINT',
    url('http:', 'https:').optional(),
    'Address of an S3-compatible server. Unset: AWS.',
  ),
  s3PublicEndpoint: variable(
    'S3_PUBLIC_ENDPOINT',
    url('http:', 'https:').optional(),
    'Address of the same server for callers; signed URLs use it. Default: `S3_ENDPOINT`.',
  ),
  s3Region: variable('S3_REGION', z.string().min(1).default('us-east-1'), 'Region of the bucket.'),
  s3AccessKeyId: secret(
    'S3_ACCESS_KEY_ID',
    z.string().min(1).optional(),
    'Access key. Unset: the default credentials of the AWS SDK.',
  ),
  s3SecretAccessKey: secret(
    'S3_SECRET_ACCESS_KEY',
    z.string().min(1).optional(),
    'Secret of the access key.',
  ),
  s3ForcePathStyle: variable(
    'S3_FORCE_PATH_STYLE',
    booleanFlag().default(true),
    'Put the bucket into the path of the URL instead of the host name. Most self-hosted servers need this.',
  ),
};
