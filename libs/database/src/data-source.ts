import pg from 'pg';
import { DataSource } from 'typeorm';
import { ENTITIES } from './entities/index.js';
import { MIGRATIONS } from './migrations/index.js';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
}

/** Sizes, counts and credits stay far below 2^53: as numbers they are the same in rows and in raw results. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function createDataSource(options: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    connectTimeoutMS: 5_000,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'schema_migration',
    synchronize: false,
    installExtensions: false,
    extra: {
      options: '-c timezone=UTC',
      keepAlive: true,
      idle_in_transaction_session_timeout: 60_000,
    },
  });
}

/** The pool below the data source, for statements that need no entity and for the queue. */
export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { master: pg.Pool }).master;
}

/** Statements that would bring the database in step with the entities; none when the migrations are complete. */
export async function schemaDrift(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
