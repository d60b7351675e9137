import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeys, BreachedPasswords, Memberships, Sessions, Users } from '@app/auth';
import { CardPayments, CreditJobHooks } from '@app/billing';
import {
  ApiKey,
  createDataSource,
  createRowEncryptors,
  type RowEncryptor,
  readPendingAndUnknownMigrations,
} from '@app/database';
import { combineJobHooks, type JobHooks } from '@app/jobs';
import {
  replaceServiceSecretFingerprint,
  type BootContext,
  type ConfigAndLogger,
  type MigrationMode,
  prepareDatabaseAndCreateBootContext,
  buildStorageOptions,
  buildStripeOptions,
  createEncryptor,
  requireServiceSecretMatchingDatabase,
  SchemaTooNewError,
  createHashingKeyEncryptor,
  loadConfigAndCreateLogger,
  toSimpleLogger,
} from '@app/runtime';
import { createObjectStore, type ObjectStore } from '@app/storage';
import { WebhookSigningSecretService, WebhookJobHooks } from '@app/webhooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { assertRootMayWriteServiceData, warnIfRootMayNotWriteServiceData } from './folder-owner.js';
import { CommandError } from './output.js';

export interface AdminServices {
  bootContext: BootContext;
  dataSource: DataSource;
  apiKeys: ApiKeys;
  users: Users;
  memberships: Memberships;
  signingSecrets: WebhookSigningSecretService;
  jobHooks: JobHooks;
  /** Null: the operator collects payments. */
  cardPayments: CardPayments | null;
  /** All encrypted columns of the database. */
  encryptedTables: RowEncryptor[];
  /** Whether the database is registered under the current service secret. */
  usesCurrentSecret: () => Promise<boolean>;
  /** Registers the database under the current service secret. @returns false if it was already */
  adoptSecret: () => Promise<boolean>;
}

/**
 * Opens the database on first use, so that help works without one. The first call decides whether an empty one is migrated, and
 * whether a service is created where there is none.
 */
@Injectable()
export class LazyAdminServices implements OnApplicationShutdown {
  private services: Promise<AdminServices> | undefined;

  /** @throws CommandError if there is no service @throws SchemaTooOldError */
  open({ disableTimeouts = false } = {}): Promise<AdminServices> {
    return (this.services ??= openServices({ migrations: 'if-empty', mayCreate: false, disableTimeouts }));
  }

  /** For commands that may come before the first start. @throws SchemaTooOldError */
  openOrCreate(): Promise<AdminServices> {
    return (this.services ??= openServices({ migrations: 'if-empty', mayCreate: true }));
  }

  /** @param options.mayWrite whether the command may write files @throws CommandError if there is no service and none may be created */
  openWithoutMigrating({
    mayCreate = false,
    mayWrite = mayCreate,
  }: { mayCreate?: boolean; mayWrite?: boolean } = {}): Promise<AdminServices> {
    return (this.services ??= openServices({ migrations: 'never', mayCreate, mayWrite }));
  }

  /** For the command that migrates: its statements may take long, and services are created where there are none. */
  openToMigrate(): Promise<AdminServices> {
    return (this.services ??= openServices({ migrations: 'never', mayCreate: true, disableTimeouts: true }));
  }

  async onApplicationShutdown(): Promise<void> {
    const services = await this.services?.catch(() => undefined);
    await services?.dataSource.destroy();
    await services?.bootContext.release();
  }
}

/**
 * Objects that only a newer schema refers to would look like orphans.
 * @param mayBeNewer whether the work also accepts the schema of a newer version
 * @throws CommandError if the schema is not up to date
 * @throws SchemaTooNewError
 */
export async function withObjectStoreIfSchemaIsCurrent<T>(
  { bootContext, dataSource }: AdminServices,
  work: (store: ObjectStore) => Promise<T>,
  { mayBeNewer = false } = {},
): Promise<T> {
  const { pending, unknown } = await readPendingAndUnknownMigrations(dataSource);
  if (pending.length > 0)
    throw new CommandError('The database schema is not up to date: run `migrate` first.');
  if (unknown.length > 0 && !mayBeNewer) throw new SchemaTooNewError(unknown);
  const store = await createObjectStore(buildStorageOptions(bootContext));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

interface OpenOptions {
  migrations: MigrationMode;
  mayCreate: boolean;
  /** Default true. */
  mayWrite?: boolean;
  disableTimeouts?: boolean;
}

async function openServices({
  migrations,
  mayCreate,
  mayWrite = true,
  disableTimeouts = false,
}: OpenOptions): Promise<AdminServices> {
  const settings = loadConfigAndCreateLogger('admin', 'warn');
  await (mayWrite ? assertRootMayWriteServiceData : warnIfRootMayNotWriteServiceData)(settings.config);
  if (!mayCreate) await assertServiceExists(settings);
  const bootContext = await prepareDatabaseAndCreateBootContext(settings, { migrations });
  const { config, databaseUrl, hashingKey, secrets } = bootContext;
  const dataSource = createDataSource({
    ...{ url: databaseUrl, poolSize: 2, applicationName: 'zephyr-admin' },
    disableTimeouts,
  });
  await dataSource.initialize();
  const encryptor = createEncryptor(bootContext);
  const stripe = buildStripeOptions(bootContext);
  return {
    bootContext,
    dataSource,
    apiKeys: new ApiKeys(dataSource.getRepository(ApiKey), { hashingKey }),
    users: new Users(
      dataSource,
      new Sessions(dataSource, config.sessions),
      new BreachedPasswords(config.sessions.breachedPasswordsFile ?? null),
    ),
    memberships: new Memberships(dataSource),
    signingSecrets: new WebhookSigningSecretService(
      dataSource,
      encryptor,
      toSimpleLogger(bootContext.logger),
    ),
    jobHooks: combineJobHooks(new WebhookJobHooks(), new CreditJobHooks(config.billing.creditsPerSecond)),
    cardPayments: stripe && new CardPayments(dataSource, stripe, toSimpleLogger(bootContext.logger)),
    encryptedTables: [
      ...createRowEncryptors(dataSource, encryptor),
      createHashingKeyEncryptor(dataSource, secrets),
    ],
    usesCurrentSecret: async () =>
      (await requireServiceSecretMatchingDatabase(dataSource, secrets)) === secrets[0],
    adoptSecret: () => replaceServiceSecretFingerprint(dataSource, secrets),
  };
}

/** A wrong DATA_DIR must not look like an empty service. @throws CommandError */
async function assertServiceExists({ config }: ConfigAndLogger): Promise<void> {
  if (config.database.url !== undefined) return;
  const { dataDir } = config.service;
  const isAbsent = await stat(join(dataDir, 'postgres')).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT',
  );
  if (isAbsent)
    throw new CommandError(
      `There is no service in ${dataDir}. Set DATA_DIR or DATABASE_URL to those of the service.`,
    );
}
