import { expect, it } from 'vitest';
import { loadConfig } from '../load-config.js';

it('a pool has connections for what holds one while it works: listeners, and the locks of deletions', () => {
  expect(() => loadConfig({ DATABASE_POOL_SIZE: '7' })).toThrow(/DATABASE_POOL_SIZE/);
  expect(loadConfig({ DATABASE_POOL_SIZE: '8' }).database.poolSize).toBe(8);
});
