import { afterCommit, createDataSource, inTransaction } from '@app/database';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThrowawayDatabase } from '../support/postgres.js';

let database: Awaited<ReturnType<typeof createThrowawayDatabase>>;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  dataSource = await createDataSource({
    url: database.url,
    poolSize: 2,
    applicationName: 'zephyr-test',
  }).initialize();
  await dataSource.query('CREATE TABLE note (text text)');
});
afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

const readNotes = () => dataSource.query<{ text: string }[]>('SELECT text FROM note');

describe('afterCommit', () => {
  it('the callback runs after the commit is visible to others, and not before', async () => {
    const seen: unknown[] = [];
    await inTransaction(dataSource, async (tx) => {
      afterCommit(tx, () => seen.push('called'));
      await tx.query(`INSERT INTO note VALUES ('kept')`);
      seen.push(await readNotes());
    });
    expect(seen).toEqual([[], 'called']);
    expect(await readNotes()).toEqual([{ text: 'kept' }]);
  });

  it('the callback does not run after a rollback', async () => {
    const seen: string[] = [];
    const rolledBack = inTransaction(dataSource, async (tx) => {
      afterCommit(tx, () => void seen.push('called'));
      await Promise.reject(new Error('undone'));
    });
    await expect(rolledBack).rejects.toThrow('undone');
    expect(seen).toEqual([]);
  });

  it('the callback runs once for a transaction that was restarted', async () => {
    const seen: number[] = [];
    let attempt = 0;
    await inTransaction(dataSource, async (tx) => {
      attempt += 1;
      const ownAttempt = attempt;
      afterCommit(tx, () => void seen.push(ownAttempt));
      if (attempt === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      await tx.query('SELECT 1');
    });
    expect(seen).toEqual([2]);
  });
});
