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
  /** Without it objects are files. */
  s3?: Radosgw;
  /** Folders that take the data of a part instead of one of its own. */
  dataDirs?: { postgres?: string; redis?: string; objects?: string };
}

/** What the service stands on, each part behind a way on which it can be lost. */
export interface Dependencies {
  env: Environment;
  postgres: PrivatePostgres;
  redis: PrivateRedis | undefined;
  proxies: { postgres: FaultProxy; redis?: FaultProxy; s3?: FaultProxy };
  stored: StoredObjects;
  remove(): Promise<void>;
}

export async function startDependencies(
  { queue, s3, dataDirs: places = {} }: DependencyOptions,
  dataDir: string,
): Promise<Dependencies> {
  if (places.objects !== undefined) await symlink(places.objects, join(dataDir, 'objects'));
  const postgres = await startPrivatePostgres(places.postgres);
  const redis = queue === 'redis' ? await startRedis(places.redis) : undefined;
  const ways: Dependencies['proxies'] = { postgres: await startFaultProxy(parseEndpoint(postgres.url)) };
  const env: Environment = { DATABASE_URL: urlThroughProxy(ways.postgres, postgres.url) };
  if (redis) {
    ways.redis = await startFaultProxy(parseEndpoint(redis.url));
    env['REDIS_URL'] = urlThroughProxy(ways.redis, redis.url);
  }
  const name = `faults-${process.pid}-${Date.now()}`;
  const bucket = s3 && new Bucket(s3, name);
  if (s3) {
    ways.s3 = await startFaultProxy(parseEndpoint(s3.endpoint));
    const endpoint = urlThroughProxy(ways.s3, s3.endpoint).replace(/\/$/, '');
    Object.assign(env, bucketSettings({ ...s3, endpoint }, name));
  }
  return {
    env,
    postgres,
    redis,
    proxies: ways,
    stored: bucket ? inspectBucket(bucket) : inspectFileStore(join(dataDir, 'objects')),
    remove: async () => {
      for (const way of Object.values(ways)) way.close();
      bucket?.close();
      await redis?.stop();
      await postgres.remove();
    },
  };
}
