import { type Config, configWarnings, loadConfig } from '@app/config';
import { acquireEmbeddedPostgres, createDataSource, queryRows } from '@app/database';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { createLogger, plainLog } from '../log/logger.js';
import { awaitDatabase } from './await-database.js';
import { dataDirError, makeDataDir } from './data-dir-error.js';
import { migrate } from './migrate.js';
import { secretOf } from './check-secret.js';
import { hashingKeyFrom, hashingKeyOf, readHashingKey } from './hashing-key.js';
import { deriveKey, fingerprint, serviceSecrets } from './secrets.js';
import type { ServiceSecrets } from './service-secret-file.js';

export type Program = 'api' | 'processor' | 'admin';

/** What every program stands on. */
export interface Foundation {
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
export type Settings = Pick<Foundation, 'program' | 'config' | 'logger'>;

/** @throws ConfigInvalid */
export function settingsOf(program: Program, logLevel?: string): Settings {
  const config = loadConfig();
  const level = logLevel ?? config.service.logLevel;
  const logger = createLogger({ level, pretty: config.service.logPretty, program });
  for (const warning of configWarnings()) logger.warn(warning);
  return { program, config, logger };
}

/**
 * Configuration, logger, secret, database (embedded where none is configured), migrations.
 *
 * @throws StartInterrupted when the program is told to stop while it waits for its database
 */
export function boot(program: Program): Promise<Foundation> {
  return bootWith(settingsOf(program), { waiting: true });
}

/**
 * As `boot`, of settings that are known already; `migrating: false` leaves the database as it is, `waiting: false` tries
 * to reach it once.
 */
export async function bootWith(
  { program, config, logger }: Settings,
  { migrating = true, waiting = false } = {},
): Promise<Foundation> {
  const secrets = await serviceSecrets(config.service);
  const embedded = config.database.url === undefined ? await embeddedPostgres({ config, logger }) : undefined;
  const databaseUrl = config.database.url ?? embedded?.url ?? '';
  const release = async () => embedded?.release();
  try {
    const hashingKey = await prepare(databaseUrl, secrets, { config, logger, migrating, waiting });
    return { program, config, logger, databaseUrl, keys: keysOf(secrets), hashingKey, secrets, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function embeddedPostgres({ config, logger }: Pick<Settings, 'config' | 'logger'>) {
  const { dataDir } = config.service;
  await makeDataDir(dataDir);
  return acquireEmbeddedPostgres({ dataDir, logger: plainLog(logger) }).catch((error: unknown) => {
    throw dataDirError(dataDir, error);
  });
}

interface PrepareOptions extends Pick<Settings, 'config' | 'logger'> {
  migrating: boolean;
  waiting: boolean;
}

function keysOf([current, ...others]: ServiceSecrets): Foundation['keys'] {
  return (purpose) => [deriveKey(current, purpose), ...others.map((secret) => deriveKey(secret, purpose))];
}

/** @returns what API keys are hashed with @throws WrongServiceSecret */
async function prepare(
  url: string,
  secrets: ServiceSecrets,
  { config, logger, migrating, waiting }: PrepareOptions,
): Promise<Buffer> {
  const connect = () =>
    createDataSource({
      url,
      poolSize: 2,
      applicationName: 'zephyr-boot',
      disableTimeouts: true,
    }).initialize();
  const seconds = waiting ? config.database.startupWaitSeconds : 0;
  const dataSource = await awaitDatabase(connect, { seconds, logger });
  try {
    if (migrating) {
      await migrate(dataSource, { url, queueInPostgres: config.queue.redisUrl === undefined, logger });
      await dataSource.query(
        'INSERT INTO installation (secret_fingerprint) VALUES ($1) ON CONFLICT DO NOTHING',
        [fingerprint(secrets[0])],
      );
      const owner = await secretOf(dataSource, secrets);
      return await hashingKeyOf(dataSource, secrets, owner ?? secrets[0]);
    }
    return await asItIs(dataSource, secrets);
  } finally {
    await dataSource.destroy();
  }
}

/** A database that no program of this version was started on may have neither table. */
async function asItIs(dataSource: DataSource, secrets: ServiceSecrets): Promise<Buffer> {
  const [found] = await queryRows<{ installation: boolean; key: boolean }>(
    dataSource,
    `SELECT to_regclass('installation') IS NOT NULL AS installation, to_regclass('hashing_key') IS NOT NULL AS key`,
  );
  const owner = found?.installation ? await secretOf(dataSource, secrets) : undefined;
  const kept = found?.key ? await readHashingKey(dataSource, secrets) : null;
  return kept ?? hashingKeyFrom(owner ?? secrets[0]);
}
