import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { ENTITIES } from './entities/index.js';
import { FailFastPgClient } from './fail-fast-pg-client.js';
import { MIGRATIONS } from './migrations/index.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** For migrations, which wait for each other and may take their time: statements are not bounded. */
  disableTimeouts?: boolean;
  /** Milliseconds that a statement may take. */
  statementTimeoutMs?: number;
  /** Milliseconds that an answer may take. */
  queryTimeoutMs?: number;
  /** Instead of all that there are. */
  migrations?: (new () => MigrationInterface)[];
}

/** No statement of ours takes a tenth of it: one that does waits for what will not come. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Later than the server gives up, so that only a server that is not heard of is given up here. */
const QUERY_TIMEOUT_MS = 35_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Of a connection that says nothing: the system then asks whether it still stands. */
const KEEP_ALIVE_DELAY_MS = 10_000;

/** Sizes, counts and credits stay far below 2^53: as numbers they are the same in rows and in raw results. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    entities: ENTITIES,
    migrations: options.migrations ?? MIGRATIONS,
    migrationsTableName: 'schema_migration',
    synchronize: false,
    installExtensions: false,
    // `gen_random_uuid()`, which Postgres has without an extension since 13.
    uuidExtension: 'pgcrypto',
    extra: buildConnectionOptions(options),
  });
}

function buildConnectionOptions({
  disableTimeouts: patient,
  statementTimeoutMs: statementMs,
  queryTimeoutMs: answerMs,
}: DatabaseOptions) {
  return {
    options: '-c timezone=UTC',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...(patient !== true && {
      statement_timeout: statementMs ?? STATEMENT_TIMEOUT_MS,
      query_timeout: answerMs ?? QUERY_TIMEOUT_MS,
    }),
    Client: FailFastPgClient,
    idle_in_transaction_session_timeout: 60_000,
  };
}

/** The pool below the data source, for statements that need no entity and for the queue. */
export function getPgPool(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { master: pg.Pool }).master;
}

/** Statements that would bring the database in step with the entities; none when the migrations are complete. */
export async function findSchemaDrift(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
