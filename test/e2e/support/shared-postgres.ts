import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server that `global-setup.ts` started; absent in suites without it. */
    sharedPostgres?: string;
  }
}

/** The migrated database that every service of a run starts with a copy of. */
export const TEMPLATE = 'migrated';

export interface SharedDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Of Postgres: a database without tables. */
export const EMPTY_TEMPLATE = 'template0';

/** A copy of the migrated database, unless `template` names another; undefined in a suite that has no shared server. */
export async function createSharedDatabase(template = TEMPLATE): Promise<SharedDatabase | undefined> {
  const server = inject('sharedPostgres');
  return server === undefined ? undefined : copyTemplate(server, template);
}

export async function copyTemplate(server: string, template = TEMPLATE): Promise<SharedDatabase> {
  const name = `service_${randomBytes(8).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return {
    url: databaseUrl(server, name),
    drop: () => query(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function query(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
