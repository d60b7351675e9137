import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import * as entities from './entities/index.js';
import { MIGRATIONS } from './migrations/index.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** For migrations, which wait for each other and may take long. */
  disableTimeouts?: boolean;
  statementTimeoutMs?: number;
  queryTimeoutMs?: number;
  /** Default: all migrations. */
  migrations?: (new () => MigrationInterface)[];
}

/** Ten times the duration of the slowest statement: a longer one hangs. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than the statement timeout, so that only an unreachable server causes it. */
export const QUERY_TIMEOUT_MS = 35_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Idle time after which the system probes the connection. */
export const TCP_KEEP_ALIVE_DELAY_MS = 10_000;
/** A new connection costs the server tens of milliseconds of CPU time: a process, and its caches of the catalog. */
export const CONNECTION_IDLE_TIMEOUT_MS = 60_000;

/** Sizes, counts and credits stay far below 2^53, so numbers represent them exactly. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    entities,
    migrations: options.migrations ?? MIGRATIONS,
    migrationsTableName: 'schema_migration',
    synchronize: false,
    installExtensions: false,
    // `gen_random_uuid()` is built in since Postgres 13.
    uuidExtension: 'pgcrypto',
    extra: buildConnectionOptions(options),
  });
}

function buildConnectionOptions({
  disableTimeouts = false,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
}: DatabaseOptions) {
  return {
    options: '-c timezone=UTC',
    idleTimeoutMillis: CONNECTION_IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: TCP_KEEP_ALIVE_DELAY_MS,
    ...(!disableTimeouts && { statement_timeout: statementTimeoutMs, query_timeout: queryTimeoutMs }),
    Client: CloseOnTimeoutPgClient,
    verify: probeClientFromServer,
    idle_in_transaction_session_timeout: 60_000,
  };
}

/** In seconds, so that the server ends the session of a host that was lost, with its locks, within 40 seconds. */
const PROBE_CLIENT_FROM_SERVER = `
  SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3; SET tcp_user_timeout = '40s'`;

/**
 * The option `verify` of a pool, for new connections: the keep-alive of the client finds lost servers only. Not sent when it
 * connects, because poolers refuse parameters that they do not know.
 */
export function probeClientFromServer(client: pg.ClientBase, done: (error?: Error) => void): void {
  client.query(PROBE_CLIENT_FROM_SERVER).then(
    () => done(),
    // A server that refuses the settings is used without them.
    (error: unknown) => done(error instanceof pg.DatabaseError ? undefined : (error as Error)),
  );
}

export function getPgPool(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { master: pg.Pool }).master;
}

/** Statements that would make the schema match the entities. */
export async function listSchemaDriftStatements(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}

const READ_TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * Closes a connection whose query timed out. The driver would reuse it and let the next statements time out
 * as well.
 */
export class CloseOnTimeoutPgClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      const result = query(...args);
      if (result instanceof Promise) result.catch((error: unknown) => this.destroyOnTimeout(error));
      return result;
    }) as typeof this.query;
  }

  private destroyOnTimeout(error: unknown): void {
    if (error instanceof Error && error.message === READ_TIMEOUT_MESSAGE)
      this.connection.stream.destroy(error);
  }
}
