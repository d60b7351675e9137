import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ApiKeys, type AuditActor, recordAuditEvent } from '@app/auth';
import { createAccount } from '@app/billing';
import { resolveDevelopmentAccountFilePaths } from '@app/config';
import { Account, acquireTransactionAdvisoryLock } from '@app/database';
import { type BootContext, resolvePublicUrl } from '@app/runtime';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  createDevelopmentAccountOwner,
  writeOrRemoveDevelopmentSignInLinkFile,
} from './development-owner.js';

/** Advisory lock: of several APIs that start at once, one creates the account. */
const DEVELOPMENT_ACCOUNT_LOCK_ID = 7_305_813;
/** Name of the account and of its key. */
const NAME = 'development';
const ACTOR: AuditActor = { kind: 'operator', id: null, name: 'first start', address: null, requestId: null };

/**
 * Creates an account with credits, one key and an owner in an empty database, if configured. The key and a link that
 * signs the owner in are written to files that only their owner can read; the log names the files, never their content.
 */
export async function ensureDevelopmentAccount(
  app: INestApplicationContext,
  { config, logger }: BootContext,
): Promise<void> {
  const files = resolveDevelopmentAccountFilePaths(config);
  const dataSource = app.get(DataSource);
  if (files === undefined) {
    if (!(await dataSource.manager.exists(Account)))
      logger.info('there is no account yet: `accounts create NAME` creates one with an API key');
    return;
  }
  const { keyFile, linkFile } = files;
  const publicUrl = resolvePublicUrl({ config });
  const created = await dataSource.transaction(async (tx) => {
    await acquireTransactionAdvisoryLock(tx, DEVELOPMENT_ACCOUNT_LOCK_ID);
    if (await tx.exists(Account)) {
      await writeOrRemoveDevelopmentSignInLinkFile(app, tx, linkFile, publicUrl);
      return false;
    }
    const accountId = await createAccount(tx, NAME, config.billing.developmentCredits);
    const { keyId, apiKey } = await app.get(ApiKeys).create(accountId, NAME, tx);
    const event = { accountId, details: { name: NAME } };
    await recordAuditEvent(tx, ACTOR, { ...event, action: 'account.created' });
    await recordAuditEvent(tx, ACTOR, { ...event, action: 'key.created', target: keyId });
    await mkdir(dirname(keyFile), { recursive: true, mode: 0o700 });
    await writeFile(keyFile, `${apiKey}\n`, { mode: 0o600 });
    await createDevelopmentAccountOwner(app, tx, ACTOR, accountId);
    await writeOrRemoveDevelopmentSignInLinkFile(app, tx, linkFile, publicUrl);
    return true;
  });
  if (created)
    logger.info(
      { developmentKeyFile: keyFile, developmentLinkFile: linkFile },
      'development account created, its API key and a link that signs in are in these files',
    );
}
