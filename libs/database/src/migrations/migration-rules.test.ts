import { readdir } from 'node:fs/promises';
import type { QueryRunner } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { isRollingMigration, MIGRATIONS } from './index.js';

/** Of version 0.2.0, which was released before these rules. */
const LAST_EXEMPT = 'PartSize1763880000000';

/** A few rows for each account or program at most, so that an index is created in an instant. */
const SMALL_TABLES = new Set(['turn', 'account', 'api_key', 'maintenance_lease', 'installation']);

/** Programs of the version before would fail, or write what this one does not expect. */
const BREAKS_PREVIOUS_VERSION =
  /\b(DROP (COLUMN|TABLE)|(?<!^ALTER INDEX "\w+" )RENAME|SET NOT NULL|ALTER COLUMN \S+ TYPE)\b|\bADD (COLUMN )?(IF NOT EXISTS )?"\w+"(?!.*\bDEFAULT\b).*\bNOT NULL\b/;

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

const findCreatedTables = (statements: readonly string[]) =>
  statements.flatMap((sql) => /CREATE TABLE (?:IF NOT EXISTS )?"(\w+)"/.exec(sql)?.[1] ?? []);

/** Names of the large tables in the first group of the pattern. */
function findLargeTables(
  statements: readonly string[],
  pattern: RegExp,
  newTables: ReadonlySet<string>,
): string[] {
  return statements
    .flatMap((sql) => pattern.exec(sql)?.[1] ?? [])
    .filter((table) => !newTables.has(table) && !SMALL_TABLES.has(table));
}

/** Writes wait until the index is created. */
const CREATES_INDEX = /CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?"\w+" ON "(\w+)"/;
/** Requests wait until all rows are read. */
const ADDS_CHECKED_CONSTRAINT =
  /ALTER TABLE "(\w+)"[^]* ADD CONSTRAINT "\w+"\s+(?:CHECK|FOREIGN KEY)(?![^]*\bNOT VALID$)/;

/** They wait for an exclusive lock on the table, and all requests behind them. */
function findBlockingIndexDrops(statements: readonly string[]): string[] {
  return statements.filter((sql) => /^DROP INDEX (?!CONCURRENTLY)/.test(sql));
}

const CHECKED = MIGRATIONS.slice(MIGRATIONS.findIndex(({ name }) => name === LAST_EXEMPT) + 1);
/** They are empty when a migration after that of their creation runs, too. */
const NEW_TABLES = new Set(findCreatedTables((await Promise.all(CHECKED.map(recordStatements))).flat()));

describe.each(CHECKED.map((migration) => [migration.name, migration] as const))('%s', (name, migration) => {
  it('creates indexes on large tables without blocking writes', async () => {
    expect(findLargeTables(await recordStatements(migration), CREATES_INDEX, NEW_TABLES)).toEqual([]);
  });

  it('adds constraints to large tables without reading their rows under a lock', async () => {
    const statements = await recordStatements(migration);
    expect(findLargeTables(statements, ADDS_CHECKED_CONSTRAINT, NEW_TABLES)).toEqual([]);
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
    expect(findLargeTables([sql], CREATES_INDEX, new Set())).toEqual(tables);
  });

  it.each([
    ['ALTER TABLE "job" ADD CONSTRAINT "a" CHECK ("b" > 0)', ['job']],
    [
      'ALTER TABLE "job" DROP CONSTRAINT "a", ADD CONSTRAINT "a" FOREIGN KEY ("b") REFERENCES "c"("d")',
      ['job'],
    ],
    ['ALTER TABLE "job" ADD CONSTRAINT "a" CHECK ("b" > 0) NOT VALID', []],
    ['ALTER TABLE "job" VALIDATE CONSTRAINT "a"', []],
  ])('%s is judged', (sql, tables) => {
    expect(findLargeTables([sql], ADDS_CHECKED_CONSTRAINT, new Set())).toEqual(tables);
  });

  it.each([
    ['ALTER TABLE "job" DROP COLUMN "a"', true],
    ['ALTER TABLE "job" RENAME "a" TO "b"', true],
    ['ALTER INDEX "a" RENAME TO "b"', false],
    ['ALTER TABLE "job" ADD "a" text NOT NULL', true],
    [`ALTER TABLE "job" ADD "a" text NOT NULL DEFAULT ''`, false],
    ['ALTER TABLE "job" ADD COLUMN IF NOT EXISTS "a" text', false],
    ['ALTER TABLE "job" ALTER COLUMN "a" SET NOT NULL', true],
  ])('%s breaks the previous version: %s', (sql, breaks) => {
    expect(BREAKS_PREVIOUS_VERSION.test(sql)).toBe(breaks);
  });
});
