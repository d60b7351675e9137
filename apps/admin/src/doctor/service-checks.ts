import { pendingMigrations } from '@app/database';
import { createJobQueue, QUEUE_NAMES } from '@app/jobs';
import { jobsOptions, publicUrl, storeOptions } from '@app/runtime';
import { createObjectStore } from '@app/storage';
import type { Tools, Workplace } from '../workplace.js';
import { type Finding, ok, problem, tried, warning } from './finding.js';

/** What can be said of the parts the service stands on, which stay as they are. Without a database the rest is not asked. */
export async function serviceChecks(workplace: Workplace): Promise<Finding[]> {
  const database = await tried('database', 'Check DATABASE_URL and that the server runs.', () =>
    databaseCheck(workplace),
  );
  if (database.status === 'problem') return [database];
  const tools = await workplace.openAsItIs();
  // The tables of a queue in Postgres come with the others.
  const queueIsThere = database.status === 'ok' || tools.foundation.config.queue.redisUrl !== undefined;
  const queue = () => tried('queue', 'Check REDIS_URL and that the server runs.', () => queueCheck(tools));
  const others = [
    ...(queueIsThere ? [queue()] : []),
    tried('object store', 'Check the S3_* variables and that the server runs.', () => storeCheck(tools)),
    tried('api', 'Start it: npm start.', () => apiCheck(tools)),
  ];
  return [database, ...(await Promise.all(others))];
}

async function databaseCheck(workplace: Workplace): Promise<Finding> {
  const { dataSource, foundation } = await workplace.openAsItIs();
  const [row] = (await dataSource.query('SHOW server_version')) as { server_version: string }[];
  const kind = foundation.config.database.url === undefined ? 'embedded' : 'external';
  const server = `Postgres ${row?.server_version} (${kind})`;
  const { length: missing } = await pendingMigrations(dataSource);
  if (missing === 0) return ok('database', `${server}, schema up to date`);
  return warning(
    'database',
    `${server}, schema not up to date: ${missing} of ${dataSource.migrations.length} migrations are missing`,
    'The next program to start runs them, and so does `migrate`. Where an earlier version runs, see first whether it has to be stopped.',
  );
}

async function queueCheck({ foundation }: Tools): Promise<Finding> {
  const queue = createJobQueue(jobsOptions(foundation).queue);
  try {
    await queue.ping();
    const counts = await Promise.all(
      QUEUE_NAMES.map(async (name) => `${name} ${(await queue.counts(name)).waiting}`),
    );
    return ok('queue', `${queue.kind}; waiting: ${counts.join(', ')}`);
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
  const address = publicUrl(foundation);
  const answer = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => null,
  );
  if (!answer)
    return warning(
      'api',
      `nothing answers at ${address}`,
      'Start the service with npm start, or check PORT and PUBLIC_URL.',
    );
  if (answer.ok) return ok('api', `ready at ${address}`);
  return problem(
    'api',
    `${address}/health/ready answers ${answer.status}`,
    'Look at its body: it names what is down.',
  );
}
