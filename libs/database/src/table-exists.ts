import type { DataSource, QueryRunner } from 'typeorm';

/** @param name as it is written in SQL */
export async function tableExists(
  db: Pick<DataSource | QueryRunner, 'query'>,
  name: string,
): Promise<boolean> {
  const [found] = (await db.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name])) as {
    exists: boolean;
  }[];
  return found?.exists === true;
}
