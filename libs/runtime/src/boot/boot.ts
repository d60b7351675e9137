import { type Config, InvalidConfigError, listVariableNameWarnings, loadConfig } from '@app/config';
import { acquireEmbeddedPostgres, createDataSource, tableExists, usesTransactionPooler } from '@app/database';
import { insertInstallationIfAbsent } from '@app/installation';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { createLogger, toSimpleLogger } from '../log/logger.js';
import { connectToPostgresWithRetry } from './connect-with-retry.js';
import { toDataDirError, createDataDir } from './data-dir-error.js';
import { migrateDatabase } from './migrate.js';
import { requireServiceSecretMatchingDatabase } from './service-secret-check.js';
import { deriveHashingKey, loadOrCreateHashingKey, decryptStoredHashingKey } from './hashing-key.js';
import {
  computeSecretFingerprint,
  createKeysDeriver,
  type DerivedKeyPurpose,
  loadOrCreateServiceSecrets,
} from './service-secrets.js';
import { readPackageVersion } from '../package-version.js';
import { startTracing } from '../tracing/start-tracing.js';
import type { ServiceSecretWithFallbacks } from './service-secret-file.js';

export type ProgramName = 'api' | 'processor' | 'admin';

export interface BootContext {
  program: ProgramName;
  config: Config;
  logger: Logger;
  /** Configured or embedded Postgres. */
  databaseUrl: string;
  /** 32 bytes each. The first key signs or encrypts, all verify or decrypt. */
  deriveKeys: (purpose: DerivedKeyPurpose) => readonly [Buffer, ...Buffer[]];
  /** Hashes API keys; 32 bytes. */
  hashingKey: Buffer;
  /** Only for their rotation; use `deriveKeys` otherwise. */
  secrets: ServiceSecretWithFallbacks;
  /** Releases the embedded Postgres. Call it last. */
  release: () => Promise<void>;
}

export type ConfigAndLogger = Pick<BootContext, 'program' | 'config' | 'logger'>;

/** @throws InvalidConfigError */
export function loadConfigAndCreateLogger(program: ProgramName, logLevel?: string): ConfigAndLogger {
  const config = loadConfig();
  const level = logLevel ?? config.service.logLevel;
  const logger = createLogger({ level, pretty: config.service.logPretty, program });
  for (const warning of listVariableNameWarnings()) logger.warn(warning);
  return { program, config, logger };
}

/**
 * Loads configuration and secrets, connects to the database (embedded if none is configured) and migrates it.
 * @throws StartInterruptedError if the program is stopped while it waits for its database
 */
export async function createBootContextAndMigrate(program: ProgramName): Promise<BootContext> {
  const settings = loadConfigAndCreateLogger(program);
  const { endpoint, metricsEndpoint } = settings.config.tracing;
  if (endpoint !== undefined || metricsEndpoint !== undefined)
    (await import('../tracing/report-telemetry-export-failures.js')).reportTelemetryExportFailures(
      settings.logger,
    );
  const stopTracing = await startTracing(settings.config.tracing, program, readPackageVersion());
  const context = await prepareDatabaseAndCreateBootContext(settings, { waitForDatabase: true });
  const release = async () => {
    await stopTracing();
    await context.release();
  };
  return { ...context, release };
}

/** `if-empty`: an older schema is refused, because programs of an earlier version may be running. */
export type MigrationMode = 'always' | 'if-empty' | 'never';

/**
 * @param options.waitForDatabase whether to retry the connection until `STARTUP_WAIT_SECONDS` have passed
 * @throws SchemaTooNewError, SchemaTooOldError
 */
export async function prepareDatabaseAndCreateBootContext(
  settings: ConfigAndLogger,
  {
    migrations = 'always',
    waitForDatabase = false,
  }: { migrations?: MigrationMode; waitForDatabase?: boolean } = {},
): Promise<BootContext> {
  const { config } = settings;
  const secrets = await loadOrCreateServiceSecrets(config.service);
  const embedded = config.database.url === undefined ? await startEmbeddedPostgres(settings) : undefined;
  const databaseUrl = config.database.url ?? embedded?.url ?? '';
  const release = async () => embedded?.release();
  try {
    const options = { ...settings, migrations, waitForDatabase };
    const hashingKey = await prepareDatabase(databaseUrl, secrets, options);
    return {
      ...settings,
      databaseUrl,
      deriveKeys: createKeysDeriver(secrets),
      hashingKey,
      secrets,
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function startEmbeddedPostgres({ config, logger }: ConfigAndLogger) {
  const { dataDir } = config.service;
  await createDataDir(dataDir);
  return acquireEmbeddedPostgres({ dataDir, logger: toSimpleLogger(logger) }).catch((error: unknown) => {
    throw toDataDirError(dataDir, error);
  });
}

interface PrepareOptions extends ConfigAndLogger {
  migrations: MigrationMode;
  waitForDatabase: boolean;
}

/** @returns the hashing key @throws ServiceSecretMismatchError */
async function prepareDatabase(
  url: string,
  secrets: ServiceSecretWithFallbacks,
  { config, logger, migrations, waitForDatabase }: PrepareOptions,
): Promise<Buffer> {
  const connect = () =>
    createDataSource({
      url,
      poolSize: 2,
      applicationName: 'zephyr-boot',
      disableTimeouts: true,
    }).initialize();
  const maxWaitSeconds = waitForDatabase ? config.database.startupWaitSeconds : 0;
  const dataSource = await connectToPostgresWithRetry(connect, { maxWaitSeconds, logger });
  try {
    if (config.database.url !== undefined) await assertNoTransactionPooler(dataSource);
    if (migrations === 'never') return await loadHashingKeyWithoutMigrating(dataSource, secrets);
    await migrateDatabase(dataSource, {
      url,
      queueInPostgres: config.queue.redisUrl === undefined,
      logger,
      onlyIfEmpty: migrations === 'if-empty',
      // A program that will be refused must not take the schema away from the programs that run.
      beforeChange: async () => void (await requireSecretOfInstallationIfPresent(dataSource, secrets)),
    });
    await insertInstallationIfAbsent(dataSource, computeSecretFingerprint(secrets[0]));
    const owner = await requireServiceSecretMatchingDatabase(dataSource, secrets);
    return await loadOrCreateHashingKey(dataSource, secrets, owner ?? secrets[0]);
  } finally {
    await dataSource.destroy();
  }
}

async function assertNoTransactionPooler(dataSource: DataSource): Promise<void> {
  if (await usesTransactionPooler(dataSource))
    throw new InvalidConfigError([
      'DATABASE_URL leads to a pooler in transaction mode: notifications (LISTEN), locks of sessions and prepared statements need one session for each connection. Set the pooler to session mode, or connect to Postgres directly.',
    ]);
}

/** A database that this version has not migrated may have neither table. */
async function loadHashingKeyWithoutMigrating(
  dataSource: DataSource,
  secrets: ServiceSecretWithFallbacks,
): Promise<Buffer> {
  const owner = await requireSecretOfInstallationIfPresent(dataSource, secrets);
  const stored = (await tableExists(dataSource, 'hashing_key'))
    ? await decryptStoredHashingKey(dataSource, secrets)
    : null;
  return stored ?? deriveHashingKey(owner ?? secrets[0]);
}

async function requireSecretOfInstallationIfPresent(
  dataSource: DataSource,
  secrets: ServiceSecretWithFallbacks,
): Promise<string | undefined> {
  if (!(await tableExists(dataSource, 'installation'))) return undefined;
  return requireServiceSecretMatchingDatabase(dataSource, secrets);
}
