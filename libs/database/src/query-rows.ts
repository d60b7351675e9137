import type { DataSource, EntityManager } from 'typeorm';

/**
 * Returns the rows of any statement. (The driver returns rows for SELECT and INSERT, but `[rows, count]` for
 * UPDATE and DELETE.)
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
