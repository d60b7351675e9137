import type { Readable } from 'node:stream';
import pg from 'pg';
import { TCP_KEEP_ALIVE_DELAY_MS } from '../data-source.js';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';

/** Reads on its own connection, while others write. Created by `open`. */
export class DatabaseSnapshot {
  private constructor(
    private readonly client: pg.Client,
    /** Time of the snapshot by the clock of the database. */
    readonly takenAt: Date,
  ) {}

  static async open(url: string): Promise<DatabaseSnapshot> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'zephyr-backup',
      keepAlive: true,
      keepAliveInitialDelayMillis: TCP_KEEP_ALIVE_DELAY_MS,
      options: '-c timezone=UTC',
    });
    // A running query rejects as well, with a better message.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('SET statement_timeout = 0');
    await client.query('SET idle_in_transaction_session_timeout = 0');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The first statement takes the snapshot.
    const { rows } = await client.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    return new DatabaseSnapshot(client, rows[0]?.at ?? new Date());
  }

  async rows<T extends pg.QueryResultRow>(sql: string, ...params: unknown[]): Promise<T[]> {
    return (await this.client.query<T>(sql, params)).rows;
  }

  async listColumns(table: string): Promise<string[]> {
    const rows = await this.rows<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
      pg.escapeIdentifier(table),
    );
    return rows.map(({ name }) => name);
  }

  /** Text format of COPY; `rowCount` is known at the end. Read it to the end before the next call. */
  copyTable(table: string, columns: string[]): Readable & { rowCount: number } {
    return this.copy(`${pg.escapeIdentifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`);
  }

  /** Text format of COPY. @param select without parameters */
  copySelect(select: string): Readable {
    return this.copy(`(${select})`);
  }

  private copy(what: string): CopyToStreamQuery {
    return this.client.query(copyTo(`COPY ${what} TO STDOUT`));
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
