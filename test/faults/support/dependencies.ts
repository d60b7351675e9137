import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { bucketSettings, Bucket } from '../../support/bucket.js';
import {
  inspectBucket,
  inspectFileStore,
  type StoredObjects,
} from '../../support/invariants/stored-objects.js';
import { type PrivatePostgres, startPrivatePostgres } from '../../support/private-postgres.js';
import type { Radosgw } from '../../support/radosgw.js';
import { type PrivateRedis, startRedis } from '../../support/redis.js';
import {
  parseEndpoint,
  startFaultProxy,
  type FaultProxy,
  urlThroughProxy,
} from '../../support/fault-proxy.js';
import type { Environment } from '../../e2e/support/program.js';

export interface DependencyOptions {
  queue: 'redis' | 'postgres';
  /** The object store; a file store by default. */
  s3?: Radosgw;
  /** Existing folders for the data of dependencies, instead of new ones. */
  dataDirs?: { postgres?: string; redis?: string; objects?: string };
}

/** The dependencies of the service, each behind a proxy that can inject faults. */
export interface Dependencies {
  env: Environment;
  postgres: PrivatePostgres;
  redis: PrivateRedis | undefined;
  proxies: { postgres: FaultProxy; redis?: FaultProxy; s3?: FaultProxy };
  stored: StoredObjects;
  remove(): Promise<void>;
}

export async function startDependencies(
  { queue, s3, dataDirs: dataFolders = {} }: DependencyOptions,
  dataDir: string,
): Promise<Dependencies> {
  if (dataFolders.objects !== undefined) await symlink(dataFolders.objects, join(dataDir, 'objects'));
  const postgres = await startPrivatePostgres({ folder: dataFolders.postgres });
  const redis = queue === 'redis' ? await startRedis(dataFolders.redis) : undefined;
  const proxies: Dependencies['proxies'] = { postgres: await startFaultProxy(parseEndpoint(postgres.url)) };
  const env: Environment = { DATABASE_URL: urlThroughProxy(proxies.postgres, postgres.url) };
  if (redis) {
    proxies.redis = await startFaultProxy(parseEndpoint(redis.url));
    env['REDIS_URL'] = urlThroughProxy(proxies.redis, redis.url);
  }
  const name = `faults-${process.pid}-${Date.now()}`;
  const bucket = s3 && new Bucket(s3, name);
  if (s3) {
    proxies.s3 = await startFaultProxy(parseEndpoint(s3.endpoint));
    const endpoint = urlThroughProxy(proxies.s3, s3.endpoint).replace(/\/$/, '');
    Object.assign(env, bucketSettings({ ...s3, endpoint }, name));
  }
  return {
    env,
    postgres,
    redis,
    proxies,
    stored: bucket ? inspectBucket(bucket) : inspectFileStore(join(dataDir, 'objects')),
    remove: async () => {
      for (const proxy of Object.values(proxies)) proxy.close();
      bucket?.close();
      await redis?.stop();
      await postgres.remove();
    },
  };
}
