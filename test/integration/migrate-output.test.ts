import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource, MIGRATION_LOCK_ID, withAdvisoryLock } from '@app/database';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MigrateCommand } from '../../apps/admin/src/migrate/migrate.command.js';
import { withCommandContext } from '../support/command-context.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { ThrowawayDatabase } from '../support/postgres.js';

let database: ThrowawayDatabase;
let folder: string;
beforeEach(async () => {
  database = await createMigratedDatabase();
  folder = await mkdtemp(join(tmpdir(), 'migrate-output-'));
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DATA_DIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

describe('a run of migrate', () => {
  it('says on standard error that it waits for another program, and which migration it has finished', async () => {
    const options = { url: database.url, poolSize: 2, applicationName: 'test' };
    const dataSource = await createDataSource(options).initialize();
    const last = dataSource.migrations.at(-1)?.constructor.name;
    await dataSource.undoLastMigration({ transaction: 'each' });
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.spyOn(fs, 'writeSync').mockImplementation((fd, text) => {
      lines.push(`${fd} ${String(text)}`);
      return Buffer.byteLength(String(text));
    });
    let migrating: Promise<void> | undefined;
    await withAdvisoryLock(dataSource, MIGRATION_LOCK_ID, async () => {
      migrating = withCommandContext((context) => new MigrateCommand(context).run([], {}));
      await expect.poll(() => lines.join('')).toContain('waiting for its lock');
    });
    await migrating;
    await dataSource.destroy();
    expect(lines.join('')).toMatch(new RegExp(`^2 .*"migration":"${last}".*"migration finished"`, 'm'));
  });
});
