import { createDataSource } from '@app/database';
import { expect, it } from 'vitest';
import { createQueuePool } from './postgres-adapter.js';

it('the pool of the queue probes and closes idle connections as soon as that of the rows does', async () => {
  const pool = createQueuePool('postgres://127.0.0.1:1/none');
  const { keepAliveInitialDelayMillis, idleTimeoutMillis } = pool.options;
  expect({ keepAliveInitialDelayMillis, idleTimeoutMillis }).toEqual({
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
  });
  const { options } = createDataSource({
    url: 'postgres://127.0.0.1:1/none',
    poolSize: 1,
    applicationName: 'test',
  });
  expect(options.extra).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis, idleTimeoutMillis });
  await pool.end();
});
