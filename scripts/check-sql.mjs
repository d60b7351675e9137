/** Part of `npm run check`: SQL is in `*.repository.ts`, in libs/database and in tests, nowhere else. */
import { readFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { ROOT } from './lib/root.mjs';
import { join } from 'node:path';

const SQL = /(?<![\w-])(SELECT|INSERT INTO|UPDATE|DELETE FROM) /;
const COMMENT = /^\s*(\/?\*|\/\/)/;
const SQL_FILE = /[.](repository|test|contract)[.]ts$|^libs\/database\//;
/** The tables of the queue, on connections of the queue. */
const EXEMPT = 'libs/jobs/src/queue/postgres-adapter.ts';

const files = execFileSync('git', ['ls-files', 'apps', 'libs'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !SQL_FILE.test(file) && file !== EXEMPT);
const found = await Promise.all(
  files.map(async (file) => {
    const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n');
    return lines.flatMap((line, at) => (SQL.test(line) && !COMMENT.test(line) ? [`${file}:${at + 1}`] : []));
  }),
);
const locations = found.flat();
for (const location of locations)
  console.log(`${location}: SQL belongs in the *.repository.ts of its feature`);
process.exitCode = locations.length === 0 ? 0 : 1;
