import { expect, it } from 'vitest';
import { createQueuePool } from './postgres-adapter.js';

it('the pool of the queue probes idle connections as soon as that of the rows does', async () => {
  const pool = createQueuePool('postgres://127.0.0.1:1/none');
  expect(pool.options).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
  await pool.end();
});
