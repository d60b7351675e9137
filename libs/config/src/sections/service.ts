import { z } from 'zod';
import {
  createBooleanSchema,
  withFormerVariableName,
  createIntegerSchema,
  createCommaSeparatedListSchema,
  declareSecretEnvVariable,
  declareEnvVariable,
} from '../variable.js';

const keyList = () =>
  createCommaSeparatedListSchema()
    .refine((keys) => keys.every((key) => key.length >= 32), 'must hold keys of at least 32 characters each')
    .refine((keys) => new Set(keys).size === keys.length, 'must not hold the same key twice');

export const serviceEnvVariables = {
  dataDir: declareEnvVariable(
    'DATA_DIR',
    z.string().min(1).default('./data'),
    'Folder for everything that is stored without external services: the embedded Postgres, objects, the service secret, models, the development API key.',
  ),
  workDir: declareEnvVariable(
    'WORK_DIR',
    z.string().min(1).optional(),
    'Folder in which a processor decodes audio. Put it on a local disk, not in memory, with room for the largest file times `PREPROCESS_CONCURRENCY`. Default: `DATA_DIR/work`.',
  ),
  secret: declareSecretEnvVariable(
    'SERVICE_SECRET',
    z.string().min(32, 'must be at least 32 characters').optional(),
    'Secret from which the service derives its keys: it signs URLs and encrypts secrets in the database. At least 32 characters, the same for all processes of one installation. Unset: the first start creates one in `DATA_DIR/service-secret`. How to [change it](operating/secrets.md#change-the-service-secret).',
  ),
  secretFallbacks: declareSecretEnvVariable(
    'SERVICE_SECRET_FALLBACKS',
    keyList().default([]),
    'Further service secrets that are accepted but never used to sign or encrypt, comma-separated (write a comma inside a secret as `\\,`). While the secret is being changed, this holds first the next one, then the earlier one.',
  ),
  encryptionKeys: withFormerVariableName(
    'SIGNING_SECRET_KEYS',
    declareSecretEnvVariable(
      'ENCRYPTION_KEYS',
      keyList().default([]),
      'Keys that encrypt webhook signing secrets, stored responses to requests with an `Idempotency-Key`, unsent webhooks, requests and responses of webhook attempts, and the secrets of authenticator apps; comma-separated, at least 32 characters each. The first encrypts, all of them decrypt. A key derived from `SERVICE_SECRET` can always decrypt; it also encrypts if this setting is empty. `secrets rotate` encrypts existing rows again with the first key.',
    ),
  ),
  developmentAccount: declareEnvVariable(
    'DEVELOPMENT_ACCOUNT',
    createBooleanSchema().optional(),
    'Whether the first start on an empty database creates a development account with `DEVELOPMENT_CREDITS` and writes its API key to `DATA_DIR/dev-api-key` and a link that signs its owner in to `DATA_DIR/dev-sign-in-link`. Default: `true` if neither `DATABASE_URL` nor `PUBLIC_URL` is set. `accounts create` creates accounts at any time.',
  ),
  logLevel: declareEnvVariable(
    'LOG_LEVEL',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  ),
  logPretty: declareEnvVariable(
    'LOG_PRETTY',
    createBooleanSchema().default(false),
    'Write log lines for people instead of one JSON object per line.',
  ),
  shutdownSeconds: declareEnvVariable(
    'SHUTDOWN_SECONDS',
    createIntegerSchema(1, 600).default(25),
    'Seconds that open requests and running stages get to finish after SIGTERM; an API first waits `DRAIN_SECONDS`. What still runs is then aborted.',
  ),
  drainSeconds: declareEnvVariable(
    'DRAIN_SECONDS',
    createIntegerSchema(0, 120).default(1),
    'Seconds for which an API still serves requests after SIGTERM while `/health/ready` answers 503, so that load balancers stop routing to it. `SHUTDOWN_SECONDS` starts afterwards.',
  ),
};
