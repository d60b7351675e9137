import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { dropTemplate, createThrowawayDatabase } from '../support/postgres.js';

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('createThrowawayDatabase', () => {
  it('a database is empty, separate from others, and gone after drop', async () => {
    const [one, two] = [await createThrowawayDatabase(), await createThrowawayDatabase()];
    await query(one.url, 'create table mine (id int)');
    await expect(query(two.url, 'select * from mine')).rejects.toThrow(/does not exist/);
    await one.drop();
    await two.drop();
    await expect(query(one.url, 'select 1')).rejects.toThrow(/does not exist/);
  });

  it('databases are copies of a template that is prepared once', async () => {
    let prepared = 0;
    const template = {
      key: `throwaway-database.test ${Date.now()}`,
      prepare: async (url: string) => {
        prepared += 1;
        await query(url, 'create table template_table as select 42 as answer');
      },
    };
    const startedAt = performance.now();
    const copies = await Promise.all([1, 2, 3, 4].map(() => createThrowawayDatabase(template)));
    console.log(`four copies: ${Math.round(performance.now() - startedAt)} ms`);
    for (const { url, drop } of copies) {
      expect(await query(url, 'select answer from template_table')).toEqual([{ answer: 42 }]);
      await drop();
    }
    await dropTemplate(template);
    expect(prepared).toBe(1);
  });
});
