import { ApiKeys, BreachedPasswords, Memberships, Sessions, Users } from '@app/auth';
import { CardPayments, CreditJobHooks } from '@app/billing';
import {
  ApiKey,
  createDataSource,
  ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE,
  ENCRYPTED_TOTP_ENROLLMENTS_TABLE,
  ENCRYPTED_TOTP_SECRETS_TABLE,
  ENCRYPTED_WEBHOOK_ATTEMPTS_TABLE,
  ENCRYPTED_WEBHOOK_BODIES_TABLE,
  RowEncryptor,
  readPendingAndUnknownMigrations,
  WebhookDelivery,
} from '@app/database';
import { combineJobHooks, type JobHooks } from '@app/jobs';
import {
  saveServiceSecretFingerprint,
  type BootContext,
  prepareBootContextFromConfig,
  buildStorageOptions,
  buildStripeOptions,
  createEncryptor,
  findServiceSecretMatchingDatabase,
  createHashingKeyEncryptor,
  loadConfigAndCreateLogger,
  toSimpleLogger,
} from '@app/runtime';
import { createObjectStore, type ObjectStore } from '@app/storage';
import { WebhookSigningSecretService, OperatorWebhookDeliveryService, WebhookJobHooks } from '@app/webhooks';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { CommandError } from './output.js';

export interface AdminServices {
  bootContext: BootContext;
  dataSource: DataSource;
  apiKeys: ApiKeys;
  users: Users;
  memberships: Memberships;
  signingSecrets: WebhookSigningSecretService;
  webhookDeliveries: OperatorWebhookDeliveryService;
  jobHooks: JobHooks;
  /** Null: the operator collects payments. */
  cardPayments: CardPayments | null;
  /** All encrypted columns of the database. */
  encryptedTables: Pick<RowEncryptor, 'reencryptAll' | 'countOutdated'>[];
  /** Whether the database is registered under the current service secret. */
  usesCurrentSecret: () => Promise<boolean>;
  /** Registers the database under the current service secret. @returns false if it was already */
  adoptSecret: () => Promise<boolean>;
}

/** Opens the database on first use, so that help works without one. The first call decides whether it is migrated. */
@Injectable()
export class LazyAdminServices implements OnApplicationShutdown {
  private services: Promise<AdminServices> | undefined;

  open(): Promise<AdminServices> {
    return (this.services ??= openServices(true));
  }

  openWithoutMigrating(): Promise<AdminServices> {
    return (this.services ??= openServices(false));
  }

  async onApplicationShutdown(): Promise<void> {
    const services = await this.services?.catch(() => undefined);
    await services?.dataSource.destroy();
    await services?.bootContext.release();
  }
}

/** @throws CommandError if the schema is not up to date */
export async function withObjectStore<T>(
  { bootContext, dataSource }: AdminServices,
  work: (store: ObjectStore) => Promise<T>,
): Promise<T> {
  if ((await readPendingAndUnknownMigrations(dataSource)).pending.length > 0)
    throw new CommandError('The database schema is not up to date: run `migrate` first.');
  const store = await createObjectStore(buildStorageOptions(bootContext));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function openServices(migrating: boolean): Promise<AdminServices> {
  const bootContext = await prepareBootContextFromConfig(loadConfigAndCreateLogger('admin', 'warn'), {
    runMigrations: migrating,
  });
  const { config, databaseUrl, hashingKey, secrets } = bootContext;
  const dataSource = createDataSource({ url: databaseUrl, poolSize: 2, applicationName: 'zephyr-admin' });
  await dataSource.initialize();
  const sealer = createEncryptor(bootContext);
  const stripe = buildStripeOptions(bootContext);
  const signingSecrets = new WebhookSigningSecretService(dataSource, sealer);
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
    signingSecrets,
    webhookDeliveries: new OperatorWebhookDeliveryService(dataSource.getRepository(WebhookDelivery)),
    jobHooks: combineJobHooks(new WebhookJobHooks(), new CreditJobHooks(config.billing.creditsPerSecond)),
    cardPayments: stripe && new CardPayments(dataSource, stripe, toSimpleLogger(bootContext.logger)),
    encryptedTables: [
      signingSecrets,
      new RowEncryptor(dataSource, sealer, ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE),
      new RowEncryptor(dataSource, sealer, ENCRYPTED_WEBHOOK_BODIES_TABLE),
      new RowEncryptor(dataSource, sealer, ENCRYPTED_WEBHOOK_ATTEMPTS_TABLE),
      new RowEncryptor(dataSource, sealer, ENCRYPTED_TOTP_SECRETS_TABLE),
      new RowEncryptor(dataSource, sealer, ENCRYPTED_TOTP_ENROLLMENTS_TABLE),
      createHashingKeyEncryptor(dataSource, secrets),
    ],
    usesCurrentSecret: async () =>
      (await findServiceSecretMatchingDatabase(dataSource, secrets)) === secrets[0],
    adoptSecret: () => saveServiceSecretFingerprint(dataSource, secrets),
  };
}
