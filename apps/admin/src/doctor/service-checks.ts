import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '@app/config';
import { readSchemaState } from '@app/database';
import { readStoreIdentity } from '@app/installation';
import { JobQueue, QUEUE_NAMES, QueueModule } from '@app/jobs';
import {
  createSealer,
  DataDirError,
  resolveHealthUrl,
  buildJobsOptions,
  packageVersion,
  describeError,
  buildStorageOptions,
  ServiceSecretMismatchError,
} from '@app/runtime';
import { createObjectStore } from '@app/storage';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { withObjectStore } from '../store/with-object-store.js';
import type { AdminServices, CommandContext } from '../command-context.js';
import { checkBucketClock, CLOCK_ADVICE, checkDatabaseClock } from './clock-checks.js';
import { type Finding, ok, problem, runCheck, warning } from './finding.js';
import { toStoreIdentityFinding } from './store-identity-finding.js';
import { checkPublicUrl } from './public-url-check.js';
import { checkEncryptionKeys } from './encryption-keys-check.js';
import { checkWebhooks } from './webhooks-check.js';

/** What can be said of the parts the service stands on, which stay as they are. Without a database the rest is not asked. */
export async function runServiceChecks(workplace: CommandContext, config = loadConfig()): Promise<Finding[]> {
  const database = await runCheck('database', databaseAdvice(config), () =>
    checkDatabase(workplace).catch(toSettingFinding),
  );
  if (database.status === 'problem') return [database];
  const tools = await workplace.openWithoutMigrating();
  // The tables of a queue in Postgres come with the others.
  const queueIsThere = database.status === 'ok' || tools.foundation.config.queue.redisUrl !== undefined;
  const queue = () => runCheck('queue', 'Check REDIS_URL and that the server runs.', () => checkQueue(tools));
  const identity = () =>
    runCheck('store identity', 'Check DATABASE_URL, DATA_DIR and S3_BUCKET; see `store show`.', () =>
      withObjectStore(tools, async (store) =>
        toStoreIdentityFinding(await readStoreIdentity(tools.dataSource, store)),
      ),
    );
  const webhooks = () => runCheck('webhooks', 'Check DATABASE_URL.', () => checkWebhooks(tools.dataSource));
  const others = [
    runCheck('clock', 'Check DATABASE_URL and that the server runs.', () =>
      checkDatabaseClock(tools.dataSource),
    ),
    ...(queueIsThere ? [queue()] : []),
    ...(database.status === 'ok' ? [identity(), checkEncryption(tools), webhooks()] : []),
    runCheck(
      'object store',
      (error) => storeAdvice(tools, error),
      () => checkObjectStore(tools),
    ),
    ...checkBucketClocks(tools),
    runCheck('api', 'Start it: `npm start`, or `zephyr start` of a release.', () => checkApi(tools)),
    runCheck('public URL', 'Check PUBLIC_URL.', () => checkPublicUrl(tools.foundation)),
  ];
  return [database, ...(await Promise.all(others))];
}

async function checkDatabase(workplace: CommandContext): Promise<Finding> {
  const { dataSource, foundation } = await workplace.openWithoutMigrating();
  const [row] = (await dataSource.query('SHOW server_version')) as { server_version: string }[];
  const kind = foundation.config.database.url === undefined ? 'embedded' : 'external';
  const server = `Postgres ${row?.server_version} (${kind})`;
  const { pending, unknown } = await readSchemaState(dataSource);
  if (unknown.length > 0)
    return problem(
      'database',
      `${server}, schema of a newer version: ${unknown.join(', ')} unknown to ${packageVersion()}`,
      'Programs of this version refuse to start: run the newer one, or restore a backup from before the upgrade.',
    );
  const { length: missing } = pending;
  if (missing === 0) return ok('database', `${server}, schema up to date`);
  return warning(
    'database',
    `${server}, schema not up to date: ${missing} of ${dataSource.migrations.length} migrations are missing`,
    'The next program to start runs them, and so does `migrate`. If an earlier version is running, `migrate --plan` says whether it must be stopped first.',
  );
}

function databaseAdvice({ database, service }: Config): string {
  if (database.url !== undefined) return 'Check DATABASE_URL and that the server runs.';
  const log = join(service.dataDir, 'postgres', 'postgres.log');
  return `DATABASE_URL is not set, so the embedded Postgres is used: its log is ${log}.`;
}

/** The database was not asked, or answers; what is wrong is a setting beside it. */
function toSettingFinding(error: unknown): Finding {
  if (error instanceof DataDirError) return problem('database', error.problem, toSentence(error.remedy));
  if (!(error instanceof ServiceSecretMismatchError)) throw error;
  return problem(
    'service secret',
    'not the one that this database was set up with',
    'Set SERVICE_SECRET to that of the other programs: it is in DATA_DIR/service-secret of the first start, or in secrets.json of a backup.',
  );
}

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function checkEncryption({ dataSource, foundation }: AdminServices): Promise<Finding> {
  return runCheck('encryption', 'Check DATABASE_URL and that the server runs.', () =>
    checkEncryptionKeys(dataSource, createSealer(foundation)),
  );
}

/** Of a bucket, if there is one. */
function checkBucketClocks({ foundation }: AdminServices): Promise<Finding>[] {
  const {
    s3Bucket,
    s3Region,
    s3Endpoint = `https://s3.${s3Region}.amazonaws.com`,
  } = foundation.config.storage;
  if (s3Bucket === undefined) return [];
  return [
    runCheck('bucket clock', 'Check S3_ENDPOINT and that the server runs.', () =>
      checkBucketClock(s3Endpoint),
    ),
  ];
}

function storeAdvice({ foundation }: AdminServices, error: unknown): string {
  const { config } = foundation;
  if (describeError(error).includes('RequestTimeTooSkewed')) return CLOCK_ADVICE;
  if (config.storage.s3Bucket !== undefined) return 'Check the S3_* variables and that the server runs.';
  const folder = join(config.service.dataDir, 'objects');
  return `Check that ${userInfo().username} can write to ${folder}: its owner and mode, and that its disk is neither full nor mounted read-only.`;
}

/** @returns undefined without Redis */
async function redisEvictionPolicy(url: string | undefined): Promise<string | undefined> {
  if (url === undefined) return undefined;
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: 2_000 });
  try {
    await redis.connect();
    return /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1];
  } finally {
    redis.disconnect();
  }
}

async function checkQueue({ foundation }: AdminServices): Promise<Finding> {
  const module = QueueModule.forRoot(buildJobsOptions(foundation).queue);
  const context = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    const queue = context.get(JobQueue);
    await queue.ping();
    const counts = await Promise.all(
      QUEUE_NAMES.map(async (name) => `${name} ${(await queue.counts(name)).waiting}`),
    );
    const detail = `${queue.kind}; waiting: ${counts.join(', ')}`;
    const policy = await redisEvictionPolicy(foundation.config.queue.redisUrl);
    if (policy === undefined || policy === 'noeviction') return ok('queue', detail);
    return problem(
      'queue',
      `${detail}; maxmemory-policy ${policy}`,
      'Redis may evict queue messages when its memory is full: set `maxmemory-policy noeviction` in its configuration.',
    );
  } finally {
    await context.close();
  }
}

async function checkObjectStore({ foundation }: AdminServices): Promise<Finding> {
  const store = await createObjectStore(buildStorageOptions(foundation));
  try {
    await store.ping();
    return ok('object store', store.kind);
  } finally {
    await store.close();
  }
}

/** 503 names what the running service misses. */
async function checkApi({ foundation }: AdminServices): Promise<Finding> {
  const address = resolveHealthUrl(foundation);
  const answer = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => null,
  );
  if (!answer)
    return warning(
      'api',
      `nothing answers at ${address}`,
      'Start the service (`npm start`, or `zephyr start` of a release), or check PORT, PUBLIC_URL and HEALTH_PORT.',
    );
  if (answer.ok) return ok('api', `ready at ${address}`);
  if (answer.status === 404)
    return warning(
      'api',
      `${address} does not answer health checks`,
      'Run doctor with the HEALTH_PORT (and HEALTH_HOST) of the API, or check PUBLIC_URL.',
    );
  return problem('api', `${address}/health/ready answers ${answer.status}`, 'Its body names what is down.');
}
