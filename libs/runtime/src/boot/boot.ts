import { type Config, configWarnings, loadConfig } from '@app/config';
import { acquireEmbeddedPostgres, createDataSource, tableExists } from '@app/database';
import { registerInstallation } from '@app/installation';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { createLogger, toSimpleLogger } from '../log/logger.js';
import { connectWithRetry } from './connect-with-retry.js';
import { toDataDirError, createDataDir } from './data-dir-error.js';
import { migrate } from './migrate.js';
import { findDatabaseSecret } from './service-secret-check.js';
import { deriveHashingKey, loadOrCreateHashingKey, loadHashingKey } from './hashing-key.js';
import { deriveKey, secretFingerprint, loadServiceSecrets } from './service-secrets.js';
import type { ServiceSecrets } from './service-secret-file.js';

export type Program = 'api' | 'processor' | 'admin';

/** What every program stands on. */
export interface BootContext {
  program: Program;
  config: Config;
  logger: Logger;
  /** The configured Postgres or the embedded one, which runs as long as somebody holds it. */
  databaseUrl: string;
  /** 32 bytes each. The first one is to sign or encrypt with, all of them are accepted. */
  keys: (purpose: KeyPurpose) => readonly [Buffer, ...Buffer[]];
  /** What API keys are hashed with; 32 bytes. */
  hashingKey: Buffer;
  /** For their rotation; everybody else takes keys of them. */
  secrets: ServiceSecrets;
  /** Lets go of the embedded Postgres. To be called last. */
  release: () => Promise<void>;
}

/** Every purpose a key is derived for, so that none is used for two. */
export type KeyPurpose = 'address-signing' | 'result-address' | 'signing-secret';

/** What there is of it before anything was made or asked. */
export type BootSettings = Pick<BootContext, 'program' | 'config' | 'logger'>;

/** @throws InvalidConfigError */
export function loadBootSettings(program: Program, logLevel?: string): BootSettings {
  const config = loadConfig();
  const level = logLevel ?? config.service.logLevel;
  const logger = createLogger({ level, pretty: config.service.logPretty, program });
  for (const warning of configWarnings()) logger.warn(warning);
  return { program, config, logger };
}

/**
 * Configuration, logger, secret, database (embedded where none is configured), migrations.
 *
 * @throws StartInterruptedError when the program is told to stop while it waits for its database
 */
export function boot(program: Program): Promise<BootContext> {
  return bootWithSettings(loadBootSettings(program), { waiting: true });
}

/**
 * As `boot`, of settings that are known already; `migrating: false` leaves the database as it is, `waiting: false` tries
 * to reach it once.
 */
export async function bootWithSettings(
  { program, config, logger }: BootSettings,
  { migrating = true, waiting = false } = {},
): Promise<BootContext> {
  const secrets = await loadServiceSecrets(config.service);
  const embedded =
    config.database.url === undefined ? await startEmbeddedPostgres({ config, logger }) : undefined;
  const databaseUrl = config.database.url ?? embedded?.url ?? '';
  const release = async () => embedded?.release();
  try {
    const hashingKey = await prepareDatabase(databaseUrl, secrets, {
      config,
      logger,
      runMigrations: migrating,
      waitForDatabase: waiting,
    });
    return { program, config, logger, databaseUrl, keys: deriveKeys(secrets), hashingKey, secrets, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function startEmbeddedPostgres({ config, logger }: Pick<BootSettings, 'config' | 'logger'>) {
  const { dataDir } = config.service;
  await createDataDir(dataDir);
  return acquireEmbeddedPostgres({ dataDir, logger: toSimpleLogger(logger) }).catch((error: unknown) => {
    throw toDataDirError(dataDir, error);
  });
}

interface PrepareOptions extends Pick<BootSettings, 'config' | 'logger'> {
  runMigrations: boolean;
  waitForDatabase: boolean;
}

function deriveKeys([current, ...others]: ServiceSecrets): BootContext['keys'] {
  return (purpose) => [deriveKey(current, purpose), ...others.map((secret) => deriveKey(secret, purpose))];
}

/** @returns what API keys are hashed with @throws ServiceSecretMismatchError */
async function prepareDatabase(
  url: string,
  secrets: ServiceSecrets,
  { config, logger, runMigrations: migrating, waitForDatabase: waiting }: PrepareOptions,
): Promise<Buffer> {
  const connect = () =>
    createDataSource({
      url,
      poolSize: 2,
      applicationName: 'zephyr-boot',
      disableTimeouts: true,
    }).initialize();
  const seconds = waiting ? config.database.startupWaitSeconds : 0;
  const dataSource = await connectWithRetry(connect, { seconds, logger });
  try {
    if (migrating) {
      await migrate(dataSource, { url, queueInPostgres: config.queue.redisUrl === undefined, logger });
      await registerInstallation(dataSource, secretFingerprint(secrets[0]));
      const owner = await findDatabaseSecret(dataSource, secrets);
      return await loadOrCreateHashingKey(dataSource, secrets, owner ?? secrets[0]);
    }
    return await loadHashingKeyWithoutMigrating(dataSource, secrets);
  } finally {
    await dataSource.destroy();
  }
}

/** A database that no program of this version was started on may have neither table. */
async function loadHashingKeyWithoutMigrating(
  dataSource: DataSource,
  secrets: ServiceSecrets,
): Promise<Buffer> {
  const owner = (await tableExists(dataSource, 'installation'))
    ? await findDatabaseSecret(dataSource, secrets)
    : undefined;
  const kept = (await tableExists(dataSource, 'hashing_key'))
    ? await loadHashingKey(dataSource, secrets)
    : null;
  return kept ?? deriveHashingKey(owner ?? secrets[0]);
}
