import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/**
 * For any statement: the driver returns rows for SELECT and INSERT, but `[rows, count]` for UPDATE and
 * DELETE.
 */
export async function queryRows<T>(
  db: DataSource | EntityManager,
  sql: string,
  params: unknown[] = [],
): Promise<T[]> {
  const answer: unknown = await db.query(sql, params);
  if (!Array.isArray(answer)) return [];
  const isPair = answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number';
  return (isPair ? answer[0] : answer) as T[];
}

/** @param name as written in SQL */
export async function tableExists(
  db: Pick<DataSource | QueryRunner, 'query'>,
  name: string,
): Promise<boolean> {
  const [found] = (await db.query('SELECT to_regclass($1) IS NOT NULL AS exists', [name])) as {
    exists: boolean;
  }[];
  return found?.exists === true;
}
