import { expect, it } from 'vitest';
import { loadConfig } from '../load-config.js';

it('a pool has connections for what holds one while it works: listeners, and the locks of deletions', () => {
  expect(() => loadConfig({ DATABASE_POOL_SIZE: '5' })).toThrow(/DATABASE_POOL_SIZE/);
  expect(loadConfig({ DATABASE_POOL_SIZE: '6' }).database.poolSize).toBe(6);
});
