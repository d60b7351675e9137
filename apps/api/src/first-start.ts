import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiKeys } from '@app/auth';
import { openAccount } from '@app/billing';
import { Account } from '@app/database';
import type { Foundation } from '@app/runtime';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** Any number that is ours alone: of several APIs that start at once, one makes the organisation. */
const FIRST_START_LOCK = 7_305_813;

export const DEVELOPMENT_KEY_FILE = 'dev-api-key';

/**
 * A database without organisations gets one for development, with ample credit and one key. The key is printed once
 * and kept in the data folder, readable by its owner only.
 */
export async function makeDevelopmentAccount(
  app: INestApplicationContext,
  { config }: Foundation,
): Promise<void> {
  const path = join(config.service.dataDir, DEVELOPMENT_KEY_FILE);
  const key = await app.get(DataSource).transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [FIRST_START_LOCK]);
    if (await tx.exists(Account)) return null;
    const accountId = await openAccount(tx, 'development', config.billing.developmentCredits);
    const { apiKey } = await app.get(ApiKeys).create(accountId, 'development', tx);
    await mkdir(config.service.dataDir, { recursive: true, mode: 0o700 });
    await writeFile(path, `${apiKey}\n`, { mode: 0o600 });
    return apiKey;
  });
  if (key !== null) process.stdout.write(`Development API key (kept in ${path}): ${key}\n`);
}
