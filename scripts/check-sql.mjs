/** Part of `npm run check`: SQL is in `*.repository.ts`, in libs/database and in tests, nowhere else. */
import { readFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { ROOT } from './lib/root.mjs';
import { join } from 'node:path';

const SQL = /(?<![\w-])(SELECT|INSERT INTO|UPDATE|DELETE FROM) /;
const COMMENT = /^\s*(\/?\*|\/\/)/;
const MAY_HOLD_SQL = /[.](repository|test|contract)[.]ts$|^libs\/database\//;
/** Files that are exempt, each for its reason. */
const EXEMPT = new Set([
  // The queue's own tables, on connections of the queue.
  'libs/jobs/src/queue/postgres-adapter.ts',
  // Commands of the operator: not moved yet.
  'apps/admin/src/accounts/list-accounts.command.ts',
  'apps/admin/src/accounts/suspend-account.command.ts',
  'apps/admin/src/backup/needed-objects.ts',
  'apps/admin/src/backup/write-tables.ts',
  'apps/admin/src/doctor/clock-checks.ts',
  'apps/admin/src/jobs/job-rows.ts',
  'apps/admin/src/restore/restore-backup.ts',
  'apps/admin/src/store/compare-store.ts',
  'apps/admin/src/store/store-report.ts',
]);

const files = execFileSync('git', ['ls-files', 'apps', 'libs'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !MAY_HOLD_SQL.test(file) && !EXEMPT.has(file));
const found = await Promise.all(
  files.map(async (file) => {
    const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n');
    return lines.flatMap((line, at) => (SQL.test(line) && !COMMENT.test(line) ? [`${file}:${at + 1}`] : []));
  }),
);
const places = found.flat();
for (const place of places) console.log(`${place}: SQL belongs into the *.repository.ts of its feature`);
process.exitCode = places.length === 0 ? 0 : 1;
