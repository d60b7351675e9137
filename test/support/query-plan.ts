import { inTransaction, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** The plan as `psql` shows it. @param explain a statement with `EXPLAIN` before it */
export async function readPlan(db: DataSource | EntityManager, explain: string): Promise<string> {
  const lines = await queryRows<{ 'QUERY PLAN': string }>(db, explain);
  return lines.map((line) => line['QUERY PLAN']).join('\n');
}

/** Pages that a statement reads the second time in its connection, because the first time it reads the catalogue. */
export function countReadPages(db: DataSource, statement: string): Promise<number> {
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`;
  return inTransaction(db, async (tx) => {
    await tx.query(explain);
    const [row] = (await tx.query(explain)) as { 'QUERY PLAN': { Plan: Record<string, number> }[] }[];
    const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  });
}
