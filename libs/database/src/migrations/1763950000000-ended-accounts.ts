import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  'ALTER TABLE "account" ADD "ended_at" timestamptz(6)',
  'CREATE INDEX "account_ended" ON "account" ("id") WHERE "ended_at" IS NOT NULL',
];

const DOWN = ['DROP INDEX "account_ended"', 'ALTER TABLE "account" DROP COLUMN "ended_at"'];

/** Programs of the previous version leave the jobs of ended accounts to newer ones. */
export class EndedAccounts1763950000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
