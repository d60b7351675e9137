import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { bucketSettings, Bucket } from '../../support/bucket.js';
import {
  objectsInBucket,
  objectsInFiles,
  type StoredObjects,
} from '../../support/invariants/stored-objects.js';
import { type PrivatePostgres, startPrivatePostgres } from '../../support/private-postgres.js';
import type { Radosgw } from '../../support/radosgw.js';
import { type PrivateRedis, startRedis } from '../../support/redis.js';
import { addressOf, openWay, type TcpWay, urlBy } from '../../support/tcp-way.js';
import type { Environment } from '../../e2e/support/program.js';

export interface PartsRequest {
  queue: 'redis' | 'postgres';
  /** Without it objects are files. */
  s3?: Radosgw;
  /** Folders that take the data of a part instead of one of its own. */
  places?: { postgres?: string; redis?: string; objects?: string };
}

/** What the service stands on, each part behind a way on which it can be lost. */
export interface Parts {
  env: Environment;
  postgres: PrivatePostgres;
  redis: PrivateRedis | undefined;
  ways: { postgres: TcpWay; redis?: TcpWay; s3?: TcpWay };
  stored: StoredObjects;
  remove(): Promise<void>;
}

export async function startParts({ queue, s3, places = {} }: PartsRequest, dataDir: string): Promise<Parts> {
  if (places.objects !== undefined) await symlink(places.objects, join(dataDir, 'objects'));
  const postgres = await startPrivatePostgres(places.postgres);
  const redis = queue === 'redis' ? await startRedis(places.redis) : undefined;
  const ways: Parts['ways'] = { postgres: await openWay(addressOf(postgres.url)) };
  const env: Environment = { DATABASE_URL: urlBy(ways.postgres, postgres.url) };
  if (redis) {
    ways.redis = await openWay(addressOf(redis.url));
    env['REDIS_URL'] = urlBy(ways.redis, redis.url);
  }
  const name = `faults-${process.pid}-${Date.now()}`;
  const bucket = s3 && new Bucket(s3, name);
  if (s3) {
    ways.s3 = await openWay(addressOf(s3.endpoint));
    const endpoint = urlBy(ways.s3, s3.endpoint).replace(/\/$/, '');
    Object.assign(env, bucketSettings({ ...s3, endpoint }, name));
  }
  return {
    env,
    postgres,
    redis,
    ways,
    stored: bucket ? objectsInBucket(bucket) : objectsInFiles(join(dataDir, 'objects')),
    remove: async () => {
      for (const way of Object.values(ways)) way.close();
      bucket?.close();
      await redis?.stop();
      await postgres.remove();
    },
  };
}
