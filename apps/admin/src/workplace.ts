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
import { SigningSecrets, WebhookEffects } from '@app/webhooks';
import {
  adoptSecret,
  bootWith,
  createSealer,
  type Foundation,
  settingsOf,
  sealedHashingKey,
  secretOf,
} from '@app/runtime';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';

export interface Tools {
  foundation: Foundation;
  dataSource: DataSource;
  keys: ApiKeys;
  secrets: SigningSecrets;
  /** What else happens when a job ends. */
  effects: JobHooks;
  /** What API keys are hashed with. */
  hashingKey: EncryptedRows;
  /** Whether the database names the current service secret as its own. */
  usesCurrentSecret: () => Promise<boolean>;
  /** Has it do so. @returns false when it did before */
  adoptSecret: () => Promise<boolean>;
  /** Remembered answers to requests that create. */
  answers: EncryptedRows;
  /** Texts of notifications that are not delivered yet. */
  bodies: EncryptedRows;
}

/** The service's database, opened when a command first asks for it: help and diagnosis work without. */
@Injectable()
export class Workplace implements OnApplicationShutdown {
  private opened: Promise<Tools> | undefined;

  /** With the schema up to date. */
  open(): Promise<Tools> {
    return (this.opened ??= openTools(true));
  }

  /** The same, with the database as it is. Whoever opened it first has decided. */
  openAsItIs(): Promise<Tools> {
    return (this.opened ??= openTools(false));
  }

  async onApplicationShutdown(): Promise<void> {
    const tools = await this.opened?.catch(() => undefined);
    await tools?.dataSource.destroy();
    await tools?.foundation.release();
  }
}

async function openTools(migrating: boolean): Promise<Tools> {
  const foundation = await bootWith(settingsOf('admin', 'warn'), { migrating });
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
    effects: combineJobHooks(
      new CreditHooks(foundation.config.billing.creditsPerSecond),
      new WebhookEffects(),
    ),
    hashingKey: sealedHashingKey(dataSource, foundation.secrets),
    usesCurrentSecret: async () => (await secretOf(dataSource, foundation.secrets)) === foundation.secrets[0],
    adoptSecret: () => adoptSecret(dataSource, foundation.secrets),
    answers: new EncryptedRows(dataSource, sealer, ENCRYPTED_RESPONSES),
    bodies: new EncryptedRows(dataSource, sealer, ENCRYPTED_WEBHOOK_BODIES),
  };
}
