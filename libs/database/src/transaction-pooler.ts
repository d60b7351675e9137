import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { getPgPool } from './data-source.js';

/** A pooler with several connections may choose the same one by chance. */
const ROUNDS = 4;

/**
 * Whether the server runs the statements of one connection in several sessions, as a pooler in transaction mode does. Two
 * open connections then share sessions, or one changes them. Needs two connections of the pool.
 */
export async function usesTransactionPooler(dataSource: DataSource): Promise<boolean> {
  const pool = getPgPool(dataSource);
  const clients: PoolClient[] = [];
  try {
    for (let at = 0; at < 2; at += 1) clients.push(await pool.connect());
    const sessions = clients.map(() => new Set<number>());
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, client] of clients.entries()) sessions[at]?.add(await readSession(client));
    const all = new Set(sessions.flatMap((own) => [...own]));
    return all.size !== clients.length || sessions.some((own) => own.size !== 1);
  } finally {
    for (const client of clients) client.release();
  }
}

async function readSession(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
