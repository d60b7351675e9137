import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAuditEvents } from '@app/auth';
import { listSchemaDriftStatements } from '@app/database';
import { UNFINISHED_RESTORE_KEY } from '@app/installation';
import { getJob } from '@app/jobs';
import { computeSecretFingerprint } from '@app/runtime';
import { findWebhookHoldStart } from '@app/webhooks';
import type { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackupCommand } from '../../apps/admin/src/backup/backup.command.js';
import { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { checkWebhookHold } from '../../apps/admin/src/doctor/database-checks.js';
import { MigrateCommand } from '../../apps/admin/src/migrate/migrate.command.js';
import { MIGRATIONS } from '../../libs/database/src/migrations/index.js';
import { withCommandContext } from '../support/command-context.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { MigrationLadder } from '../support/migration-ladder.js';
import { writeOlderBackup } from '../support/older-backup.js';
import {
  openDatabaseAtMigration,
  type OlderSchemaRows,
  insertOlderSchemaRows,
} from '../support/older-schema-rows.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { runRestore } from '../support/run-restore.js';
import { withDatabase } from '../support/with-database.js';

const SECRET = 'a service secret of thirty-two letters';
const SECRETS = { SERVICE_SECRET: SECRET, SERVICE_SECRET_FALLBACKS: '', ENCRYPTION_KEYS: '' };
const NAMES = MIGRATIONS.map(({ name }) => name);
/** The first version with backups. */
const FIRST = NAMES.indexOf('StoreIdentity1763781000000');

const ladder = new MigrationLadder();
/** Has backups of the current version, which tests copy. */
let currentBackups: string;
let folder: string;
let backup: string;
let dataDir: string;
let target: ThrowawayDatabase;
beforeAll(async () => {
  currentBackups = await mkdtemp(join(tmpdir(), 'restore-command-'));
  const source = await createMigratedDatabase();
  await withDatabase(source, async (db) => {
    await insertOlderSchemaRows(db, computeSecretFingerprint(SECRET));
    await writeOlderBackup(db, join(currentBackups, 'with-secrets'), SECRETS);
    await writeOlderBackup(db, join(currentBackups, 'without-secrets'), null);
  });
  await source.drop();
});
afterAll(async () => {
  await ladder.drop();
  await rm(currentBackups, { recursive: true, force: true });
});
beforeEach(async () => {
  target = await createThrowawayDatabase();
  folder = await mkdtemp(join(tmpdir(), 'restore-command-'));
  [backup, dataDir] = [join(folder, 'backup'), join(folder, 'data')];
  vi.stubEnv('DATABASE_URL', target.url);
  vi.stubEnv('DATA_DIR', dataDir);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
  await target.drop();
});

const copyCurrentBackup = (name: 'with-secrets' | 'without-secrets' = 'with-secrets') =>
  cp(join(currentBackups, name), backup, { recursive: true });

async function insertRowsAndWriteBackup(
  source: ThrowawayDatabase,
  insertMore?: (db: DataSource, account: string) => Promise<void>,
): Promise<OlderSchemaRows> {
  try {
    return await withDatabase(source, async (db) => {
      const rows = await insertOlderSchemaRows(db, computeSecretFingerprint(SECRET));
      await insertMore?.(db, rows.account);
      await writeOlderBackup(db, backup, SECRETS);
      return rows;
    });
  } finally {
    await source.drop();
  }
}

async function changeManifest(change: (manifest: { migrations: string[] }) => object): Promise<void> {
  const path = join(backup, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { migrations: string[] };
  await writeFile(path, JSON.stringify({ ...manifest, ...change(manifest) }));
}

const restore = () => runRestore(backup);
const withTargetDatabase = <T>(work: (db: DataSource) => Promise<T>) => withDatabase(target, work);
const listStoredFiles = () => readdir(join(dataDir, 'objects'), { recursive: true });
const listTables = () =>
  withTargetDatabase((db) => db.query<unknown[]>(`SELECT FROM pg_tables WHERE schemaname = 'public'`));

describe('the restore command', () => {
  it.each(NAMES.slice(FIRST))(
    'a backup of the version with migration %s is restored and migrated to the current schema',
    async (last) => {
      const { account, completed, open } = await insertRowsAndWriteBackup(
        await ladder.createDatabaseAt(last),
      );
      expect(await restore()).toMatchObject({
        stages_due: 1,
        webhooks_pending: 1,
        service_secret_written: true,
      });
      await withTargetDatabase(async (db) => {
        expect(await listSchemaDriftStatements(db)).toEqual([]);
        expect(await getJob(db, account, completed)).toMatchObject({ status: 'completed' });
        expect(await getJob(db, account, open)).toMatchObject({ status: 'processing', queued: true });
        expect(await db.query(`SELECT state, attempts FROM job_stage WHERE job_id = $1`, [open])).toEqual([
          { state: 'pending', attempts: 0 },
        ]);
        // The sequences continue after the loaded numbers.
        await db.query(`INSERT INTO credit_entry (account_id, kind, amount) VALUES ($1, 'grant', 1)`, [
          account,
        ]);
      });
    },
  );

  it('a backup of a newer version is rejected before any change, with its unknown migrations', async () => {
    await copyCurrentBackup();
    await changeManifest(({ migrations }) => ({ migrations: [...migrations, 'Later1999999999999'] }));
    await expect(restore()).rejects.toThrow(
      /^The backup is of version 0\.1\.1, which is newer than this one, .* \(Later1999999999999 unknown here\)/,
    );
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
    expect(await listTables()).toEqual([]);
  });

  it('a backup without secrets is restored with the secrets that its error message names', async () => {
    await copyCurrentBackup('without-secrets');
    await expect(restore()).rejects.toThrow(
      /^The backup holds no secrets: set SERVICE_SECRET, and SERVICE_SECRET_FALLBACKS and ENCRYPTION_KEYS/,
    );
    vi.stubEnv('SERVICE_SECRET', 'another service secret of many letters');
    await expect(restore()).rejects.toThrow(
      /^SERVICE_SECRET is not that of the backup.*from where yours are kept/,
    );
    expect(await listTables()).toEqual([]);
    vi.stubEnv('SERVICE_SECRET', SECRET);
    expect(await restore()).toMatchObject({ stages_due: 1, service_secret_written: false });
  });

  it('a backup whose secrets.json was removed counts as one without secrets', async () => {
    await copyCurrentBackup();
    await rm(join(backup, 'secrets.json'));
    await expect(restore()).rejects.toThrow(/^The backup holds no secrets: set SERVICE_SECRET/);
    vi.stubEnv('SERVICE_SECRET', SECRET);
    expect(await restore()).toMatchObject({ stages_due: 1, service_secret_written: false });
  });

  it('a database that `migrate` has prepared is refused before the store is written', async () => {
    await copyCurrentBackup();
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.stubEnv('SERVICE_SECRET', SECRET);
    await withCommandContext((context) => new MigrateCommand(context).run([], {}));
    write.mockRestore();
    await expect(restore()).rejects.toThrow(/neither a program nor `migrate`.*audit_event holds rows/);
    expect(await listStoredFiles()).not.toContainEqual(expect.stringContaining(UNFINISHED_RESTORE_KEY));
  });

  it('empty tables of another version are refused before the store is written', async () => {
    await copyCurrentBackup();
    await (await openDatabaseAtMigration(target.url, NAMES.at(-2) ?? '')).destroy();
    await expect(restore()).rejects.toThrow('empty tables of another version');
    expect(await listStoredFiles()).not.toContainEqual(expect.stringContaining(UNFINISHED_RESTORE_KEY));
  });

  it('a restore writes the service secret to DATA_DIR only if it is not refused', async () => {
    await copyCurrentBackup();
    await target.drop();
    target = await createMigratedDatabase();
    vi.stubEnv('DATABASE_URL', target.url);
    await withTargetDatabase((db) =>
      db.query(`INSERT INTO account (id, name) VALUES (gen_random_uuid(), 'used')`),
    );
    await expect(restore()).rejects.toThrow('The database is not empty');
    expect(existsSync(join(dataDir, 'service-secret'))).toBe(false);
    await withTargetDatabase((db) => db.query('DELETE FROM account'));
    expect(await restore()).toMatchObject({ service_secret_written: true });
    expect(await readFile(join(dataDir, 'service-secret'), 'utf8')).toBe(SECRET);
  });

  it('a backup with encrypted signing secrets requires ENCRYPTION_KEYS', async () => {
    await copyCurrentBackup('without-secrets');
    await changeManifest(() => ({ sealing_keys: ['0011223344556677'] }));
    vi.stubEnv('SERVICE_SECRET', SECRET);
    await expect(restore()).rejects.toThrow(
      /^ENCRYPTION_KEYS lacks 1 of the keys.*from where yours are kept/,
    );
    expect(await listTables()).toEqual([]);
  });

  it('encryption keys that lack one of the backup are refused before anything is written', async () => {
    await copyCurrentBackup();
    await changeManifest(() => ({ sealing_keys: ['0011223344556677'] }));
    vi.stubEnv('ENCRYPTION_KEYS', 'another encryption key of forty-three letters');
    await expect(restore()).rejects.toThrow(/^ENCRYPTION_KEYS lacks 1 of the keys/);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
    expect(await listTables()).toEqual([]);
  });

  it('the restored database has one audit event that names the backup', async () => {
    await copyCurrentBackup();
    const { backup_id, created_at, rows, objects } = (await restore()) as Record<string, unknown>;
    const events = await withTargetDatabase((db) => listAuditEvents(db, { actorKind: 'operator' }, 10));
    expect(events).toMatchObject([
      {
        accountId: null,
        action: 'backup.restored',
        target: backup_id,
        details: { created_at, rows, objects },
      },
    ]);
  });

  it('auto-recharge of an account with a customer at Stripe is paused after a restore', async () => {
    await insertRowsAndWriteBackup(await createMigratedDatabase(), async (db, account) => {
      await db.query(`INSERT INTO stripe_customer (account_id, customer_id) VALUES ($1, 'cus_1')`, [account]);
      await db.query('INSERT INTO auto_recharge (account_id, below, credits) VALUES ($1, 1, 50)', [account]);
    });
    await restore();
    const paused = await withTargetDatabase((restored) =>
      restored.query('SELECT pause_reason FROM auto_recharge'),
    );
    expect(paused).toEqual([{ pause_reason: 'restored' }]);
  });

  it('all webhooks are held after a restore, and doctor reports it', async () => {
    await copyCurrentBackup();
    expect(await restore()).toMatchObject({ webhooks_held: true });
    expect(await withTargetDatabase(findWebhookHoldStart)).toBeInstanceOf(Date);
    expect(await withTargetDatabase(checkWebhookHold)).toMatchObject({
      status: 'warning',
      advice: expect.stringContaining('webhooks release'),
    });
  });
});

describe('backup --verify', () => {
  it('says that secrets.json was removed, and finds no damage', async () => {
    await copyCurrentBackup();
    const verify = async (options = {}) => {
      const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      try {
        await new BackupCommand(new LazyAdminServices()).run([backup], { verify: true, ...options });
        return String(write.mock.calls[0]?.[0]);
      } finally {
        vi.restoreAllMocks();
      }
    };
    expect(await verify()).not.toContain('secrets');
    const { files } = JSON.parse(await verify({ json: true })) as { files: number };
    await rm(join(backup, 'secrets.json'));
    expect(await verify()).toContain('It contains no secrets');
    const expected = { files: files - 1, damaged: [], secrets: false };
    expect(JSON.parse(await verify({ json: true }))).toMatchObject(expected);
  });
});
