import { type Config, ConfigInvalid, loadConfig } from '@app/config';
import { acquireEmbeddedPostgres, createDataSource } from '@app/database';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { createLogger, plainLog } from '../log/logger.js';
import { migrate } from './migrate.js';
import { deriveKey, fingerprint, serviceSecret } from './secrets.js';

export type Program = 'api' | 'processor' | 'admin';

/** What every program stands on. */
export interface Foundation {
  program: Program;
  config: Config;
  logger: Logger;
  /** The configured Postgres or the embedded one, which runs as long as somebody holds it. */
  databaseUrl: string;
  key: (purpose: KeyPurpose) => Buffer;
  /** Lets go of the embedded Postgres. To be called last. */
  release: () => Promise<void>;
}

/** Every purpose a key is derived for, so that none is used for two. */
export type KeyPurpose = 'api-key-hash' | 'address-signing' | 'result-address' | 'signing-secret';

/** What there is of it before anything was made or asked. */
export type Settings = Pick<Foundation, 'program' | 'config' | 'logger'>;

/** @throws ConfigInvalid */
export function settingsOf(program: Program, logLevel?: string): Settings {
  const config = loadConfig();
  const level = logLevel ?? config.service.logLevel;
  return { program, config, logger: createLogger({ level, pretty: config.service.logPretty, program }) };
}

/** Configuration, logger, secret, database (embedded where none is configured), migrations. */
export function boot(program: Program): Promise<Foundation> {
  return bootWith(settingsOf(program));
}

/** As `boot`, of settings that are known already; `migrating: false` leaves the database as it is. */
export async function bootWith(
  { program, config, logger }: Settings,
  { migrating = true } = {},
): Promise<Foundation> {
  const secret = await serviceSecret(config.service.secret, config.service.dataDir);
  const embedded =
    config.database.url === undefined
      ? await acquireEmbeddedPostgres({ dataDir: config.service.dataDir, logger: plainLog(logger) })
      : undefined;
  const databaseUrl = config.database.url ?? embedded?.url ?? '';
  const release = async () => embedded?.release();
  try {
    await prepare(databaseUrl, fingerprint(secret), { config, logger, migrating });
  } catch (error) {
    await release();
    throw error;
  }
  return { program, config, logger, databaseUrl, key: (purpose) => deriveKey(secret, purpose), release };
}

async function prepare(
  url: string,
  print: string,
  { config, logger, migrating }: Pick<Settings, 'config' | 'logger'> & { migrating: boolean },
): Promise<void> {
  const dataSource = createDataSource({
    url,
    poolSize: 2,
    applicationName: 'zephyr-boot',
    patient: true,
  });
  await dataSource.initialize();
  try {
    if (migrating) {
      await migrate(dataSource, { url, queueInPostgres: config.queue.redisUrl === undefined, logger });
      await dataSource.query(
        'INSERT INTO installation (secret_fingerprint) VALUES ($1) ON CONFLICT DO NOTHING',
        [print],
      );
    }
    await checkSecret(dataSource, print);
  } finally {
    await dataSource.destroy();
  }
}

/** A database that no program was started on has none yet. */
async function checkSecret(dataSource: DataSource, print: string): Promise<void> {
  const [found] = await dataSource.query<{ there: boolean }[]>(
    `SELECT to_regclass('installation') IS NOT NULL AS there`,
  );
  if (!found?.there) return;
  const [row] = await dataSource.query<{ print: string }[]>(
    'SELECT secret_fingerprint AS print FROM installation',
  );
  if (row !== undefined && row.print !== print)
    throw new ConfigInvalid([
      'SERVICE_SECRET is not the one this database was set up with: API keys and signed addresses would not be recognised. Give every process the same SERVICE_SECRET (or the same DATA_DIR)',
    ]);
}
