import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { computeSecretFingerprint } from '@app/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { RestoreCommand } from '../../apps/admin/src/restore/restore.command.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import { writeOlderBackup } from '../support/older-backup.js';
import { insertOlderSchemaRows } from '../support/older-schema-rows.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { withDatabase } from '../support/with-database.js';

const SECRET = 'a service secret of thirty-two letters';
const SECRETS = { SERVICE_SECRET: SECRET, SERVICE_SECRET_FALLBACKS: '', ENCRYPTION_KEYS: '' };

let folder: string;
let backup: string;
let target: ThrowawayDatabase;
let source: ThrowawayDatabase;
beforeEach(async () => {
  [source, target] = await Promise.all([createMigratedDatabase(), createThrowawayDatabase()]);
  folder = await mkdtemp(join(tmpdir(), 'restore-sign-ins-'));
  backup = join(folder, 'backup');
  vi.stubEnv('DATABASE_URL', target.url);
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
  await Promise.all([source.drop(), target.drop()]);
});

describe('after a restore', () => {
  it('sessions, links and sign-ins of the backup are gone, and the summary says which changes must be repeated', async () => {
    await withDatabase(source, async (db) => {
      await insertOlderSchemaRows(db, computeSecretFingerprint(SECRET));
      const later = `now() + interval '1 day'`;
      for (const statement of [
        `INSERT INTO app_user (id, email, name) VALUES (gen_random_uuid(), 'one@example.com', 'One')`,
        `INSERT INTO user_session (id, token_hash, user_id, expires_at)
         SELECT gen_random_uuid(), 'session', id, ${later} FROM app_user`,
        `INSERT INTO sign_in_link (token_hash, user_id, purpose, expires_at) SELECT 'link', id, 'sign_in', ${later} FROM app_user`,
        `INSERT INTO sign_in_challenge (token_hash, user_id, kind, expires_at)
         SELECT 'challenge', id, 'second_factor', ${later} FROM app_user`,
        `INSERT INTO command_line_sign_in (device_code_hash, user_code_hash, machine, expires_at)
         VALUES ('device', 'user', 'laptop', ${later})`,
      ])
        await db.query(statement);
      await writeOlderBackup(db, backup, SECRETS);
    });
    const { created_at } = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as {
      created_at: string;
    };
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await new RestoreCommand(new LazyAdminServices()).run([backup], {});
    const printed = String(write.mock.calls[0]?.[0]);
    expect(printed).toMatch(/1 sessions, and all links/);
    expect(printed).toMatch(new RegExp(`revoked, members who were removed.* after ${created_at}.*repeat`));
    await withDatabase(target, async (restored) => {
      expect(await restored.query('SELECT email FROM app_user')).toEqual([{ email: 'one@example.com' }]);
      for (const table of ['user_session', 'sign_in_link', 'sign_in_challenge', 'command_line_sign_in'])
        expect(await restored.query(`SELECT 1 FROM ${table}`), table).toEqual([]);
    });
  });
});
