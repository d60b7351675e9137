import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource, usesTransactionPooler } from '@app/database';
import { createBootContextAndMigrate } from '@app/runtime';
import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { TransactionPooler } from '../support/transaction-pooler.js';

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

async function withDataSource<T>(url: string, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const options = { url, poolSize: 2, applicationName: 'zephyr-test' };
  const dataSource = await createDataSource(options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

describe('a pooler in transaction mode', () => {
  it('is recognised, and a direct connection is not taken for one', async () => {
    expect(await withDataSource(pooledUrl, usesTransactionPooler)).toBe(true);
    expect(await withDataSource(database.url, usesTransactionPooler)).toBe(false);
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
