import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  'ALTER TABLE "account" ADD "transcript_retention_days" integer',
  'ALTER TABLE "account" ADD CONSTRAINT "account_transcript_retention_positive" CHECK ("transcript_retention_days" > 0)',
  'CREATE INDEX "account_transcript_retention" ON "account" ("id") WHERE "transcript_retention_days" IS NOT NULL',
  'CREATE INDEX "job_account_transcript" ON "job" ("account_id", "finished_at") WHERE "result_key" IS NOT NULL',
];

const DOWN = [
  'DROP INDEX "job_account_transcript"',
  'DROP INDEX "account_transcript_retention"',
  'ALTER TABLE "account" DROP CONSTRAINT "account_transcript_retention_positive"',
  'ALTER TABLE "account" DROP COLUMN "transcript_retention_days"',
];

/** Processors of the previous version leave transcripts that only the account wants deleted to newer ones. */
export class AccountRetention1763960000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
