import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '@app/config';
import { readSchemaState } from '@app/database';
import { readIdentity } from '@app/installation';
import { createJobQueue, QUEUE_NAMES } from '@app/jobs';
import {
  createSealer,
  DataDirUnusable,
  healthUrl,
  jobsOptions,
  packageVersion,
  reasonOf,
  storeOptions,
  WrongServiceSecret,
} from '@app/runtime';
import { createObjectStore } from '@app/storage';
import { Redis } from 'ioredis';
import { withStore } from '../store/with-store.js';
import type { Tools, Workplace } from '../workplace.js';
import { bucketClock, CLOCK_ADVICE, databaseClock } from './clock-checks.js';
import { type Finding, ok, problem, tried, warning } from './finding.js';
import { identityFinding } from './identity-finding.js';
import { publicUrlCheck } from './public-url-check.js';
import { sealingCheck } from './sealing-check.js';
import { webhooksCheck } from './webhooks-check.js';

/** What can be said of the parts the service stands on, which stay as they are. Without a database the rest is not asked. */
export async function serviceChecks(workplace: Workplace, config = loadConfig()): Promise<Finding[]> {
  const database = await tried('database', databaseAdvice(config), () =>
    databaseCheck(workplace).catch(settingFinding),
  );
  if (database.status === 'problem') return [database];
  const tools = await workplace.openAsItIs();
  // The tables of a queue in Postgres come with the others.
  const queueIsThere = database.status === 'ok' || tools.foundation.config.queue.redisUrl !== undefined;
  const queue = () => tried('queue', 'Check REDIS_URL and that the server runs.', () => queueCheck(tools));
  const identity = () =>
    tried('store identity', 'Check DATABASE_URL, DATA_DIR and S3_BUCKET; see `store show`.', () =>
      withStore(tools, async (store) => identityFinding(await readIdentity(tools.dataSource, store))),
    );
  const webhooks = () => tried('webhooks', 'Check DATABASE_URL.', () => webhooksCheck(tools.dataSource));
  const others = [
    tried('clock', 'Check DATABASE_URL and that the server runs.', () => databaseClock(tools.dataSource)),
    ...(queueIsThere ? [queue()] : []),
    ...(database.status === 'ok' ? [identity(), encryption(tools), webhooks()] : []),
    tried(
      'object store',
      (error) => storeAdvice(tools, error),
      () => storeCheck(tools),
    ),
    ...bucketClocks(tools),
    tried('api', 'Start it: `npm start`, or `zephyr start` of a release.', () => apiCheck(tools)),
    tried('public URL', 'Check PUBLIC_URL.', () => publicUrlCheck(tools.foundation)),
  ];
  return [database, ...(await Promise.all(others))];
}

async function databaseCheck(workplace: Workplace): Promise<Finding> {
  const { dataSource, foundation } = await workplace.openAsItIs();
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
function settingFinding(error: unknown): Finding {
  if (error instanceof DataDirUnusable) return problem('database', error.problem, sentence(error.remedy));
  if (!(error instanceof WrongServiceSecret)) throw error;
  return problem(
    'service secret',
    'not the one that this database was set up with',
    'Set SERVICE_SECRET to that of the other programs: it is in DATA_DIR/service-secret of the first start, or in secrets.json of a backup.',
  );
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function encryption({ dataSource, foundation }: Tools): Promise<Finding> {
  return tried('encryption', 'Check DATABASE_URL and that the server runs.', () =>
    sealingCheck(dataSource, createSealer(foundation)),
  );
}

/** Of a bucket, if there is one. */
function bucketClocks({ foundation }: Tools): Promise<Finding>[] {
  const {
    s3Bucket,
    s3Region,
    s3Endpoint = `https://s3.${s3Region}.amazonaws.com`,
  } = foundation.config.storage;
  if (s3Bucket === undefined) return [];
  return [
    tried('bucket clock', 'Check S3_ENDPOINT and that the server runs.', () => bucketClock(s3Endpoint)),
  ];
}

function storeAdvice({ foundation }: Tools, error: unknown): string {
  const { config } = foundation;
  if (reasonOf(error).includes('RequestTimeTooSkewed')) return CLOCK_ADVICE;
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

async function queueCheck({ foundation }: Tools): Promise<Finding> {
  const queue = createJobQueue(jobsOptions(foundation).queue);
  try {
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
    await queue.close();
  }
}

async function storeCheck({ foundation }: Tools): Promise<Finding> {
  const store = await createObjectStore(storeOptions(foundation));
  try {
    await store.ping();
    return ok('object store', store.kind);
  } finally {
    await store.close();
  }
}

/** 503 names what the running service misses. */
async function apiCheck({ foundation }: Tools): Promise<Finding> {
  const address = healthUrl(foundation);
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
