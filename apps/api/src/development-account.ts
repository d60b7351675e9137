import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ApiKeys } from '@app/auth';
import { createAccount } from '@app/billing';
import { resolveDevelopmentKeyFile } from '@app/config';
import { Account, acquireTransactionAdvisoryLock } from '@app/database';
import type { BootContext } from '@app/runtime';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Advisory lock: of several APIs that start at once, one creates the account. */
const DEVELOPMENT_ACCOUNT_LOCK_ID = 7_305_813;

/**
 * Creates an account with credits and one key in an empty database, if configured. The key is written to a file that
 * only its owner can read; the log names the file, never the key.
 */
export async function createDevelopmentAccount(
  app: INestApplicationContext,
  { config, logger }: BootContext,
): Promise<void> {
  const keyFile = resolveDevelopmentKeyFile(config);
  const dataSource = app.get(DataSource);
  if (keyFile === undefined) {
    if (!(await dataSource.manager.exists(Account)))
      logger.info('there is no account yet: `accounts create NAME` creates one with an API key');
    return;
  }
  const created = await dataSource.transaction(async (tx) => {
    await acquireTransactionAdvisoryLock(tx, DEVELOPMENT_ACCOUNT_LOCK_ID);
    if (await tx.exists(Account)) return false;
    const accountId = await createAccount(tx, 'development', config.billing.developmentCredits);
    const { apiKey } = await app.get(ApiKeys).create(accountId, 'development', tx);
    await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
    await writeFile(keyFile, `${apiKey}\n`, { mode: 0o600 });
    return true;
  });
  if (created)
    logger.info({ developmentKeyFile: keyFile }, 'development account created, its API key is in this file');
}
