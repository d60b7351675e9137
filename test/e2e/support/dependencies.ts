import { type PrivatePostgres, startPrivatePostgres } from '../../support/private-postgres.js';
import { type PrivateRedis, startRedis } from '../../support/redis.js';
import type { Environment } from './program.js';

/** What the service stands on. */
export interface Dependencies {
  name: string;
  env: Environment;
  remove(): Promise<void>;
}

/** Nothing is configured: everything comes with the service. */
export function embeddedDependencies(): Promise<Dependencies> {
  return Promise.resolve({ name: 'embedded', env: {}, remove: () => Promise.resolve() });
}

/** A Postgres and a Redis that were there before the service. */
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
