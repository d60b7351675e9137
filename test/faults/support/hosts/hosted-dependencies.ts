import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { Bucket, bucketSettings } from '../../../support/bucket.js';
import {
  inspectBucket,
  inspectFileStore,
  type StoredObjects,
} from '../../../support/invariants/stored-objects.js';
import { startPrivatePostgres } from '../../../support/private-postgres.js';
import { startRedis } from '../../../support/redis.js';
import type { Environment } from '../../../e2e/support/program.js';
import { DelayedS3 } from './delayed-s3.js';
import type { HostNetwork } from './host-network.js';
import type { NetworkHost } from './network-host.js';
import { PostgresPair } from './postgres-pair.js';

export interface HostedDependencyOptions {
  queue: 'redis' | 'postgres';
  /** Whether Postgres has a standby. */
  standby?: boolean;
}

/** The dependencies of the service, each on a host of its own. */
export interface HostedDependencies {
  env: Environment;
  /** Connections of the test itself to the service's database. */
  database: pg.Pool;
  stored: StoredObjects;
  hosts: { postgres: NetworkHost; redis: NetworkHost | undefined; s3: NetworkHost | undefined };
  /** With a standby. */
  pair: PostgresPair | undefined;
  /** Undefined if no S3 server is installed: objects are files in a folder that all programs share. */
  s3: DelayedS3 | undefined;
  remove(): Promise<void>;
}

interface Postgres {
  host: NetworkHost;
  url: string;
  pair?: PostgresPair;
  remove(): Promise<void>;
}

export async function startHostedDependencies(
  network: HostNetwork,
  { queue, standby = false }: HostedDependencyOptions,
  dataDir: string,
): Promise<HostedDependencies> {
  const s3Host = await network.addHost('s3');
  const redisHost = queue === 'redis' ? await network.addHost('redis') : undefined;
  const [postgres, redis, s3] = await Promise.all([
    standby ? startPair(network) : startSingle(network),
    redisHost && startRedis(undefined, redisHost),
    DelayedS3.startIfInstalled(s3Host),
  ]);
  const name = `hosts-${process.pid}-${Date.now()}`;
  const bucket = s3 && new Bucket(s3.direct, name);
  const shared = join(dataDir, 'shared');
  if (!s3) await mkdir(shared);
  const database = new pg.Pool({ connectionString: postgres.url, max: 4, connectionTimeoutMillis: 5_000 });
  database.on('error', () => undefined);
  return {
    env: {
      DATABASE_URL: postgres.url,
      ...(redis && { REDIS_URL: redis.url }),
      ...(s3 ? bucketSettings({ ...s3.direct, endpoint: s3.endpoint }, name) : { DATA_DIR: shared }),
    },
    database,
    stored: bucket ? inspectBucket(bucket) : inspectFileStore(join(shared, 'objects')),
    hosts: { postgres: postgres.host, redis: redisHost, s3: s3 && s3Host },
    pair: postgres.pair,
    s3,
    remove: async () => {
      await database.end();
      bucket?.close();
      await Promise.all([s3?.stop(), redis?.stop(), postgres.remove()]);
    },
  };
}

async function startSingle(network: HostNetwork): Promise<Postgres> {
  const host = await network.addHost('postgres1');
  const server = await startPrivatePostgres({
    host,
    prepare: (data) => PostgresPair.permitHosts(data),
  });
  return { host, url: server.url, remove: () => server.remove() };
}

async function startPair(network: HostNetwork): Promise<Postgres> {
  const pair = await PostgresPair.start(network);
  return { host: pair.primary, url: pair.url, pair, remove: () => pair.remove() };
}
