import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usesTransactionPooler } from '@app/database';
import { createBootContextAndMigrate } from '@app/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { TransactionPooler } from '../support/transaction-pooler.js';
import { withDatabase } from '../support/with-database.js';

let database: ThrowawayDatabase;
let pooler: TransactionPooler;
let pooledUrl: string;
beforeEach(async () => {
  database = await createThrowawayDatabase();
  ({ pooler, url: pooledUrl } = await TransactionPooler.start(database.url));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  pooler.close();
  await database.drop();
});

describe('a pooler in transaction mode', () => {
  it('is recognised, and a direct connection is not taken for one', async () => {
    expect(await withDatabase({ url: pooledUrl }, usesTransactionPooler)).toBe(true);
    expect(await withDatabase(database, usesTransactionPooler)).toBe(false);
  });

  it('stops the start of a program with a line that names the setting', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'transaction-pooler-'));
    vi.stubEnv('DATABASE_URL', pooledUrl);
    vi.stubEnv('DATA_DIR', folder);
    await expect(createBootContextAndMigrate('api')).rejects.toThrow(
      /DATABASE_URL leads to a pooler in transaction mode/,
    );
    await rm(folder, { recursive: true });
  });
});
