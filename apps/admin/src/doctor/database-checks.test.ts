import type { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { checkEncryptionKeysPresent, toStoreIdentityFinding } from './database-checks.js';

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

it('doctor says for each table with rows under a missing key what the rows are', async () => {
  const query = (sql: string) => {
    const tables = [...sql.matchAll(/FROM (\w+)/g)].map(([, table]) => table);
    return Promise.resolve(tables.map((table) => ({ keyId: 'k1', table, rows: 1 })));
  };
  const { status, detail } = await checkEncryptionKeysPresent({ query } as unknown as DataSource, {
    knownIds: [],
  });
  expect(status).toBe('problem');
  expect(detail).toContain('1 of totp_secret (secrets of authenticator apps)');
  expect(detail).not.toContain('(encrypted)');
});
