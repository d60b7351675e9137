import { loadConfig } from '@app/config';
import { compareStoreIdentities } from '@app/installation';
import { StageQueues, QUEUE_NAMES, QueueModule } from '@app/jobs';
import {
  buildMailerOptions,
  buildQueueAndOutboxModuleOptions,
  buildStorageOptions,
  buildStripeOptions,
  createEncryptor,
  resolveApiHealthBaseUrl,
} from '@app/runtime';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import {
  type AdminServices,
  type LazyAdminServices,
  withObjectStoreIfSchemaIsCurrent,
} from '../lazy-admin-services.js';
import { checkBucketCredentialsExpiry } from './bucket-credentials-expiry-check.js';
import { checkBucketClock, checkDatabaseClock } from './clock-checks.js';
import {
  buildConnectionLimitFinding,
  buildLongTransactionFinding,
  computeMaxConnectionsPerProgram,
} from './connection-checks.js';
import { findLongestOpenTransaction, readConnectionLimitAndUse } from './connection-use.repository.js';
import {
  checkDatabase,
  checkEncryptionKeysPresent,
  checkWebhookHold,
  toStoreIdentityFinding,
} from './database-checks.js';
import {
  type Finding,
  createOkFinding,
  createProblemFinding,
  runCheckOrReportProblem,
  createWarningFinding,
} from './finding.js';
import { checkMailServer } from './mail-server-check.js';
import { checkBucketVersions, checkObjectStore } from './object-store-checks.js';
import { checkPublicUrl } from './public-url-check.js';
import { checkStripeKey } from './stripe-key-check.js';

const DATABASE_ADVICE = 'Check DATABASE_URL and that the server runs.';

/** Changes nothing but an object of its own in the object store. All checks but that of the database need the database. */
export async function runServiceChecks(
  context: LazyAdminServices,
  config = loadConfig(),
): Promise<Finding[]> {
  const database = await checkDatabase(context, config);
  if (database.status === 'problem') return [database];
  const services = await context.openWithoutMigrating();
  const { bootContext, dataSource } = services;
  const { redisUrl } = bootContext.config.queue;
  const isMigrated = database.status === 'ok';
  const checks: (Promise<Finding> | false)[] = [
    runCheckOrReportProblem('clock', DATABASE_ADVICE, () => checkDatabaseClock(dataSource)),
    runCheckOrReportProblem('connections', DATABASE_ADVICE, async () => {
      const { poolSize } = bootContext.config.database;
      const perProgram = computeMaxConnectionsPerProgram(poolSize, redisUrl === undefined);
      return buildConnectionLimitFinding(await readConnectionLimitAndUse(dataSource), perProgram);
    }),
    runCheckOrReportProblem('old transactions', DATABASE_ADVICE, async () =>
      buildLongTransactionFinding(await findLongestOpenTransaction(dataSource)),
    ),
    // Migrations also create the tables of a queue in Postgres.
    (isMigrated || redisUrl !== undefined) &&
      runCheckOrReportProblem('queue', 'Check REDIS_URL and that the server runs.', () =>
        checkQueue(services),
      ),
    isMigrated &&
      runCheckOrReportProblem(
        'store identity',
        'Check DATABASE_URL, DATA_DIR and S3_BUCKET; see `store show`.',
        () =>
          withObjectStoreIfSchemaIsCurrent(services, async (store) =>
            toStoreIdentityFinding(await compareStoreIdentities(dataSource, store)),
          ),
      ),
    isMigrated &&
      runCheckOrReportProblem('encryption', DATABASE_ADVICE, () =>
        checkEncryptionKeysPresent(dataSource, createEncryptor(bootContext)),
      ),
    isMigrated &&
      runCheckOrReportProblem('webhooks', 'Check DATABASE_URL.', () => checkWebhookHold(dataSource)),
    checkObjectStore(services),
    checkClockOfBucket(services),
    checkCredentialsOfBucket(services),
    checkVersionsOfBucket(services),
    runCheckOrReportProblem('api', 'Start it: `npm start`, or `zephyr start` of a release.', () =>
      checkApi(services),
    ),
    runCheckOrReportProblem('public URL', 'Check PUBLIC_URL.', () => checkPublicUrl(bootContext)),
    checkMailServer(buildMailerOptions(bootContext)),
    checkKeyOfStripe(services),
  ];
  return [database, ...(await Promise.all(checks.filter((check) => check !== false)))];
}

/** @returns false if the operator collects payments */
function checkKeyOfStripe({ bootContext }: AdminServices): Promise<Finding> | false {
  const options = buildStripeOptions(bootContext);
  return options !== null && checkStripeKey(options);
}

/** @returns false without a bucket */
function checkClockOfBucket({ bootContext }: AdminServices): Promise<Finding> | false {
  const { s3Bucket, s3Region, s3Endpoint } = bootContext.config.storage;
  if (s3Bucket === undefined) return false;
  const endpoint = s3Endpoint ?? `https://s3.${s3Region}.amazonaws.com`;
  return runCheckOrReportProblem('bucket clock', 'Check S3_ENDPOINT and that the server runs.', () =>
    checkBucketClock(endpoint),
  );
}

/** @returns false without a bucket */
function checkCredentialsOfBucket({ bootContext }: AdminServices): Promise<Finding> | false {
  const options = buildStorageOptions(bootContext);
  if (options.kind !== 's3') return false;
  const advice = 'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or what the AWS SDK looks for.';
  return runCheckOrReportProblem('credentials', advice, () => checkBucketCredentialsExpiry(options));
}

/** @returns false without a bucket */
function checkVersionsOfBucket({ bootContext }: AdminServices): Promise<Finding> | false {
  const options = buildStorageOptions(bootContext);
  if (options.kind !== 's3') return false;
  const advice = 'Check the S3_* variables, and that the server runs.';
  return runCheckOrReportProblem('bucket versions', advice, () => checkBucketVersions(options));
}

async function checkQueue({ bootContext }: AdminServices): Promise<Finding> {
  const module = QueueModule.forRoot(buildQueueAndOutboxModuleOptions(bootContext).queue);
  const application = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    const queue = application.get(StageQueues);
    await queue.ping();
    const counts = await Promise.all(
      QUEUE_NAMES.map(async (name) => `${name} ${(await queue.counts(name)).waiting}`),
    );
    const detail = `${queue.kind}; waiting: ${counts.join(', ')}`;
    const { redisUrl } = bootContext.config.queue;
    const policy = redisUrl === undefined ? undefined : await readEvictionPolicy(redisUrl);
    if (policy === undefined || policy === 'noeviction') return createOkFinding('queue', detail);
    return createProblemFinding(
      'queue',
      `${detail}; maxmemory-policy ${policy}`,
      'Redis may evict queue messages when its memory is full: set `maxmemory-policy noeviction` in its configuration.',
    );
  } finally {
    await application.close();
  }
}

async function readEvictionPolicy(redisUrl: string): Promise<string | undefined> {
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: 2_000 });
  try {
    await redis.connect();
    return /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  } finally {
    redis.disconnect();
  }
}

async function checkApi({ bootContext }: AdminServices): Promise<Finding> {
  const url = resolveApiHealthBaseUrl(bootContext);
  const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => null,
  );
  if (!response)
    return createWarningFinding(
      'api',
      `nothing answers at ${url}`,
      'Start the service (`npm start`, or `zephyr start` of a release), or check PORT, PUBLIC_URL and HEALTH_PORT.',
    );
  if (response.ok) return createOkFinding('api', `ready at ${url}`);
  if (response.status === 404)
    return createWarningFinding(
      'api',
      `${url} does not answer health checks`,
      'Run doctor with the HEALTH_PORT (and HEALTH_HOST) of the API, or check PUBLIC_URL.',
    );
  return createProblemFinding(
    'api',
    `${url}/health/ready answers ${response.status}`,
    'Its body names what is down.',
  );
}
