import { ApiKeys } from '@app/auth';
import {
  ApiKey,
  createDataSource,
  ENCRYPTED_RESPONSES,
  ENCRYPTED_WEBHOOK_BODIES,
  EncryptedRows,
} from '@app/database';
import { CreditHooks } from '@app/billing';
import { combineJobHooks, type JobHooks } from '@app/jobs';
import { SigningSecrets, WebhookJobHooks } from '@app/webhooks';
import {
  adoptServiceSecret,
  bootWithSettings,
  createSealer,
  type BootContext,
  loadBootSettings,
  hashingKeyRows,
  findDatabaseSecret,
} from '@app/runtime';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';

export interface AdminServices {
  foundation: BootContext;
  dataSource: DataSource;
  keys: ApiKeys;
  secrets: SigningSecrets;
  /** What else happens when a job ends. */
  jobHooks: JobHooks;
  /** What API keys are hashed with. */
  hashingKey: EncryptedRows;
  /** Whether the database names the current service secret as its own. */
  usesCurrentSecret: () => Promise<boolean>;
  /** Has it do so. @returns false when it did before */
  adoptSecret: () => Promise<boolean>;
  /** Remembered answers to requests that create. */
  storedResponses: EncryptedRows;
  /** Texts of notifications that are not delivered yet. */
  webhookBodies: EncryptedRows;
}

/** The service's database, opened when a command first asks for it: help and diagnosis work without. */
@Injectable()
export class CommandContext implements OnApplicationShutdown {
  private opened: Promise<AdminServices> | undefined;

  /** With the schema up to date. */
  open(): Promise<AdminServices> {
    return (this.opened ??= openServices(true));
  }

  /** The same, with the database as it is. Whoever opened it first has decided. */
  openWithoutMigrating(): Promise<AdminServices> {
    return (this.opened ??= openServices(false));
  }

  async onApplicationShutdown(): Promise<void> {
    const tools = await this.opened?.catch(() => undefined);
    await tools?.dataSource.destroy();
    await tools?.foundation.release();
  }
}

async function openServices(runMigrations: boolean): Promise<AdminServices> {
  const foundation = await bootWithSettings(loadBootSettings('admin', 'warn'), { migrating: runMigrations });
  const dataSource = createDataSource({
    url: foundation.databaseUrl,
    poolSize: 2,
    applicationName: 'zephyr-admin',
  });
  await dataSource.initialize();
  const sealer = createSealer(foundation);
  return {
    foundation,
    dataSource,
    keys: new ApiKeys(dataSource.getRepository(ApiKey), { hashingKey: foundation.hashingKey }),
    secrets: new SigningSecrets(dataSource, sealer),
    jobHooks: combineJobHooks(
      new CreditHooks(foundation.config.billing.creditsPerSecond),
      new WebhookJobHooks(),
    ),
    hashingKey: hashingKeyRows(dataSource, foundation.secrets),
    usesCurrentSecret: async () =>
      (await findDatabaseSecret(dataSource, foundation.secrets)) === foundation.secrets[0],
    adoptSecret: () => adoptServiceSecret(dataSource, foundation.secrets),
    storedResponses: new EncryptedRows(dataSource, sealer, ENCRYPTED_RESPONSES),
    webhookBodies: new EncryptedRows(dataSource, sealer, ENCRYPTED_WEBHOOK_BODIES),
  };
}
