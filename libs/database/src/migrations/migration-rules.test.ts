import { readdir } from 'node:fs/promises';
import type { QueryRunner } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { isRollingMigration, MIGRATIONS } from './index.js';

/** Earlier ones were released before these rules. */
const FIRST_CHECKED = 1_795_599_000_000;

/** A row for each account or program at most, so that an index is created in an instant. */
const SMALL_TABLES = new Set(['turn', 'account', 'maintenance_lease', 'installation']);

/** Programs of the version before would fail, or write what this one does not expect. */
const BREAKS_PREVIOUS_VERSION =
  /\b(DROP (COLUMN|TABLE)|RENAME|SET NOT NULL|ALTER COLUMN \S+ TYPE)\b|\bADD (COLUMN )?(IF NOT EXISTS )?"\w+"(?!.*\bDEFAULT\b).*\bNOT NULL\b/;

async function recordStatements(migration: (typeof MIGRATIONS)[number]): Promise<string[]> {
  const statements: string[] = [];
  const instance = new migration();
  const runner = {
    isTransactionActive: instance.transaction !== false,
    query: async (sql: string) => void statements.push(sql),
  };
  await instance.up(runner as unknown as QueryRunner);
  return statements;
}

/** Names of the tables on which the statements create an index that blocks writes. */
function findBlockingIndexes(statements: readonly string[]): string[] {
  const created = new Set(statements.flatMap((sql) => /CREATE TABLE "(\w+)"/.exec(sql)?.[1] ?? []));
  return statements
    .flatMap((sql) => /CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"/.exec(sql)?.[1] ?? [])
    .filter((table) => !created.has(table) && !SMALL_TABLES.has(table));
}

/** They wait for an exclusive lock on the table, and all requests behind them. */
function findBlockingIndexDrops(statements: readonly string[]): string[] {
  return statements.filter((sql) => /^DROP INDEX (?!CONCURRENTLY)/.test(sql));
}

const CHECKED = MIGRATIONS.filter(({ name }) => Number(name.slice(-13)) >= FIRST_CHECKED);

describe.each(CHECKED.map((migration) => [migration.name, migration] as const))('%s', (name, migration) => {
  it('creates indexes on large tables without blocking writes', async () => {
    expect(findBlockingIndexes(await recordStatements(migration))).toEqual([]);
  });

  it('drops indexes without blocking requests', async () => {
    expect(findBlockingIndexDrops(await recordStatements(migration))).toEqual([]);
  });

  it('leaves what programs of the previous version need, if it is classified as rolling', async () => {
    const statements = isRollingMigration(name) ? await recordStatements(migration) : [];
    expect(statements.filter((sql) => BREAKS_PREVIOUS_VERSION.test(sql))).toEqual([]);
  });
});

it('every migration of the folder is listed, the oldest first', async () => {
  const files = await readdir(new URL('.', import.meta.url));
  const timestamps = files.flatMap((name) => /^\d{13}/.exec(name) ?? []).toSorted();
  expect(MIGRATIONS.map(({ name }) => name.slice(-13))).toEqual(timestamps);
});

it('a migration that is not listed requires stopped programs', () => {
  expect(isRollingMigration('Unheard1999999999999')).toBe(false);
});

describe('the rules themselves', () => {
  it.each([
    ['CREATE INDEX "a" ON "job" ("id")', ['job']],
    ['CREATE UNIQUE INDEX "a" ON "job_stage" ("id")', ['job_stage']],
    ['CREATE INDEX CONCURRENTLY "a" ON "job" ("id")', []],
  ])('%s is judged', (sql, tables) => {
    expect(findBlockingIndexes([sql])).toEqual(tables);
  });

  it.each([
    ['ALTER TABLE "job" DROP COLUMN "a"', true],
    ['ALTER TABLE "job" ADD "a" text NOT NULL', true],
    [`ALTER TABLE "job" ADD "a" text NOT NULL DEFAULT ''`, false],
    ['ALTER TABLE "job" ADD COLUMN IF NOT EXISTS "a" text', false],
    ['ALTER TABLE "job" ALTER COLUMN "a" SET NOT NULL', true],
  ])('%s breaks the previous version: %s', (sql, breaks) => {
    expect(BREAKS_PREVIOUS_VERSION.test(sql)).toBe(breaks);
  });
});
