import { type PrivatePostgres, startPrivatePostgres } from '../../support/private-postgres.js';
import { type PrivateRedis, startRedis } from '../../support/redis.js';
import type { Environment } from './program.js';

/** The dependencies of the service. */
export interface Dependencies {
  name: string;
  env: Environment;
  remove(): Promise<void>;
}

/** No settings: the service starts its embedded dependencies. */
export function embeddedDependencies(): Promise<Dependencies> {
  return Promise.resolve({ name: 'embedded', env: {}, remove: () => Promise.resolve() });
}

/** A Postgres and a Redis that are not started by the service. */
export async function startExternalDependencies(): Promise<Dependencies> {
  const redis: PrivateRedis = await startRedis();
  const postgres: PrivatePostgres = await startPrivatePostgres().catch(async (error: unknown) => {
    await redis.stop();
    throw error;
  });
  return {
    name: 'external',
    env: { DATABASE_URL: postgres.url, REDIS_URL: redis.url },
    remove: async () => {
      await redis.stop();
      await postgres.remove();
    },
  };
}
