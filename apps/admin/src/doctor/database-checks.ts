import { join } from 'node:path';
import type { Config } from '@app/config';
import {
  type Encryptor,
  findMissingEncryptionKeys,
  readPendingAndUnknownMigrations,
  readPostgresVersion,
} from '@app/database';
import type { StoreIdentityComparison } from '@app/installation';
import { DataDirError, readPackageVersion, ServiceSecretMismatchError } from '@app/runtime';
import { findWebhookHoldStart } from '@app/webhooks';
import type { DataSource } from 'typeorm';
import type { LazyAdminServices } from '../lazy-admin-services.js';
import { STORE_STATE_ADVICE, STORE_STATE_DESCRIPTIONS } from '../store/store-identity-report.js';
import {
  type Finding,
  createOkFinding,
  createProblemFinding,
  runCheckOrReportProblem,
  createWarningFinding,
} from './finding.js';

export function checkDatabase(context: LazyAdminServices, config: Config): Promise<Finding> {
  return runCheckOrReportProblem('database', databaseAdvice(config), () =>
    checkSchema(context).catch((error: unknown) => {
      if (error instanceof DataDirError)
        return createProblemFinding(
          'database',
          error.problem,
          `${error.remedy.charAt(0).toUpperCase()}${error.remedy.slice(1)}.`,
        );
      if (!(error instanceof ServiceSecretMismatchError)) throw error;
      return createProblemFinding(
        'service secret',
        'not the one that this database was set up with',
        'Set SERVICE_SECRET to that of the other programs: it is in DATA_DIR/service-secret of the first start, or in secrets.json of a backup.',
      );
    }),
  );
}

async function checkSchema(context: LazyAdminServices): Promise<Finding> {
  const { dataSource, bootContext } = await context.openWithoutMigrating({ mayCreate: true });
  const kind = bootContext.config.database.url === undefined ? 'embedded' : 'external';
  const server = `Postgres ${await readPostgresVersion(dataSource)} (${kind})`;
  const { pending, unknown } = await readPendingAndUnknownMigrations(dataSource);
  if (unknown.length > 0)
    return createProblemFinding(
      'database',
      `${server}, schema of a newer version: ${unknown.join(', ')} unknown to ${readPackageVersion()}`,
      'Programs of this version refuse to start: run the newer one, or restore a backup from before the upgrade.',
    );
  if (pending.length === 0) return createOkFinding('database', `${server}, schema up to date`);
  return createWarningFinding(
    'database',
    `${server}, schema not up to date: ${pending.length} of ${dataSource.migrations.length} migrations are missing`,
    'The next program to start runs them, and so does `migrate`. If an earlier version is running, `migrate --plan` says whether it must be stopped first.',
  );
}

function databaseAdvice({ database, service }: Config): string {
  if (database.url !== undefined) return 'Check DATABASE_URL and that the server runs.';
  const log = join(service.dataDir, 'postgres', 'postgres.log');
  return `DATABASE_URL is not set, so the embedded Postgres is used: its log is ${log}.`;
}

const TABLE_DESCRIPTIONS: Record<string, string> = {
  webhook_secret: 'webhook signing secrets',
  webhook_previous_secret: 'previous webhook signing secrets',
  idempotency_key: 'stored responses',
  webhook_delivery: 'webhook bodies',
  webhook_attempt: 'requests and responses of webhooks',
  totp_secret: 'secrets of authenticator apps',
  totp_enrollment: 'secrets of authenticator apps that are being set up',
};

/** Checks that the keys of this program decrypt every encrypted row. */
export async function checkEncryptionKeysPresent(
  dataSource: DataSource,
  encryptor: Pick<Encryptor, 'knownIds'>,
): Promise<Finding> {
  const missing = await findMissingEncryptionKeys(dataSource, encryptor);
  if (missing.length === 0) return createOkFinding('encryption', 'there is a key for every encrypted row');
  const byKey = [...new Set(missing.map(({ keyId }) => keyId))].map((id) => {
    const tables = missing
      .filter(({ keyId }) => keyId === id)
      .map(({ table, rows }) => `${rows} of ${table} (${TABLE_DESCRIPTIONS[table] ?? 'encrypted'})`);
    return `key ${id}, needed by ${tables.join(', ')}`;
  });
  return createProblemFinding(
    'encryption',
    `missing: ${byKey.join('; ')}`,
    'Put the keys back into ENCRYPTION_KEYS (or, of rows that were encrypted without them, the earlier SERVICE_SECRET into SERVICE_SECRET_FALLBACKS): secrets.json of a backup has them. Without, webhooks of these accounts fail, repeated requests are refused, and users cannot sign in with their authenticator apps.',
  );
}

export async function checkWebhookHold(dataSource: DataSource): Promise<Finding> {
  const since = await findWebhookHoldStart(dataSource);
  if (since === null) return createOkFinding('webhooks', 'sent as they become due');
  return createWarningFinding(
    'webhooks',
    `held since ${since.toISOString()}, by a restore or by \`webhooks hold\``,
    'No webhook is sent until `webhooks release`.',
  );
}

export function toStoreIdentityFinding({
  state,
  row,
}: Pick<StoreIdentityComparison, 'state' | 'row'>): Finding {
  const name = 'store identity';
  if (state === 'agreed')
    return createOkFinding(name, `installation ${row.installationId}, store ${row.storeId}`);
  if (state === 'unclaimed' || state === 'claim_unfinished')
    return createOkFinding(name, 'not claimed yet: the first program to start claims the store');
  return createProblemFinding(
    name,
    STORE_STATE_DESCRIPTIONS[state],
    STORE_STATE_ADVICE[state] ?? 'Compare the two with `store show`.',
  );
}
