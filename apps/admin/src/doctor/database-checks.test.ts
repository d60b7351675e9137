import { expect, it } from 'vitest';
import { toStoreIdentityFinding } from './database-checks.js';

const row = { installationId: 'i', storeId: 's', generation: 1 };

it.each([
  ['database_older', 'store reconcile'],
  ['restore_unfinished', 'restore DIR'],
  ['other_store', 'store show'],
] as const)('toStoreIdentityFinding advises exactly one command for %s', (state, command) => {
  const { status, detail, advice } = toStoreIdentityFinding({ state, row });
  expect(status).toBe('problem');
  expect(`${detail} ${advice}`.match(/`[^`]+`/g)).toEqual([`\`${command}\``]);
});
