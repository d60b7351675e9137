import { z } from 'zod';
import {
  createUrlSchema,
  createBooleanSchema,
  createByteSizeSchema,
  createIntegerSchema,
  declareSecretEnvVariable,
  parseUrl,
  declareEnvVariable,
} from '../variable.js';

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const SSL_OPTIONS = [
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslnegotiation',
  'uselibpqcompat',
];

/** The driver ignores options that it does not know, so a misspelled one would connect without TLS. */
function createPostgresUrlSchema() {
  return createUrlSchema('postgres:', 'postgresql:').superRefine((text, context) => {
    for (const [name, value] of parseUrl(text)?.searchParams ?? []) {
      if (name === 'sslmode' && !SSL_MODES.includes(value))
        context.addIssue(`has an sslmode that is none of ${SSL_MODES.join(', ')}`);
      if (/ssl|tls/i.test(name) && !SSL_OPTIONS.includes(name))
        context.addIssue(`has an option about TLS that is none of ${SSL_OPTIONS.join(', ')}`);
    }
  });
}

function createRedisUrlSchema() {
  return createUrlSchema('redis:', 'rediss:').refine(
    (text) => /^\/?\d{0,4}$/.test(parseUrl(text)?.pathname ?? ''),
    {
      message: 'must end with the number of a database, such as /0, or with none',
    },
  );
}

export const databaseEnvVariables = {
  url: declareSecretEnvVariable(
    'DATABASE_URL',
    createPostgresUrlSchema().optional(),
    'URL of Postgres, version 14 or later, directly or through a [pooler](operating/capacity.md#poolers) in session mode; `?sslmode=…` as in [dependencies](operating/dependencies.md#tls-to-postgres). Unset: an embedded Postgres in `DATA_DIR`.',
  ),
  startupWaitSeconds: declareEnvVariable(
    'STARTUP_WAIT_SECONDS',
    createIntegerSchema(0, 31_536_000).default(60),
    'Seconds for which a starting program waits until Postgres is reachable, with a log line every five seconds; then it exits with code 1. 0: it does not wait. If Postgres refuses the user, password or database, it exits at once. Operator commands never wait.',
  ),
  poolSize: declareEnvVariable(
    'DATABASE_POOL_SIZE',
    createIntegerSchema(8, 500).default(12),
    'Maximum number of pooled Postgres connections of one process, at least 8: up to six hold a lock while others work. A queue in Postgres takes up to ten more.',
  ),
};

export const queueEnvVariables = {
  redisUrl: declareSecretEnvVariable(
    'REDIS_URL',
    createRedisUrlSchema().optional(),
    'URL of Redis, version 6.2 or later, for the queues; `rediss://…` with TLS. Unset: the queues are in Postgres.',
  ),
  redisPrefix: declareEnvVariable(
    'REDIS_PREFIX',
    z.string().min(1).default('zephyr'),
    'Prefix of every Redis key.',
  ),
};

export const storageEnvVariables = {
  diskReserveBytes: declareEnvVariable(
    'DISK_RESERVE_BYTES',
    createByteSizeSchema().default(2 ** 30),
    'Bytes of the disk of the file store that audio leaves free, so that the service itself can go on writing: 503 for what would take them, also in the middle of an upload. Processors leave as much when they fetch an `audio_url`, and half of it on the disk of `WORK_DIR` when they copy audio. At most a twentieth of the disk. 0: none.',
  ),
  s3Bucket: declareEnvVariable(
    'S3_BUCKET',
    z.string().min(1).optional(),
    'Bucket for audio and transcripts. Unset: files in `DATA_DIR/objects`, served by the API under signed URLs.',
  ),
  s3Endpoint: declareEnvVariable(
    'S3_ENDPOINT',
    createUrlSchema('http:', 'https:').optional(),
    'URL of an S3-compatible server. Unset: AWS.',
  ),
  s3PublicEndpoint: declareEnvVariable(
    'S3_PUBLIC_ENDPOINT',
    createUrlSchema('http:', 'https:').optional(),
    'URL of the same server for callers; signed URLs use it. Default: `S3_ENDPOINT`.',
  ),
  s3Region: declareEnvVariable('S3_REGION', z.string().min(1).default('us-east-1'), 'Region of the bucket.'),
  s3AccessKeyId: declareSecretEnvVariable(
    'S3_ACCESS_KEY_ID',
    z.string().min(1).optional(),
    'Access key. Unset: the default credentials of the AWS SDK. If these are temporary, as those of a role are, signed URLs expire with them; `doctor` warns.',
  ),
  s3SecretAccessKey: declareSecretEnvVariable(
    'S3_SECRET_ACCESS_KEY',
    z.string().min(1).optional(),
    'Secret of the access key.',
  ),
  s3ForcePathStyle: declareEnvVariable(
    'S3_FORCE_PATH_STYLE',
    createBooleanSchema().default(true),
    'Put the bucket into the path of the URL instead of the host name. Most self-hosted servers need this.',
  ),
};
