import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addConstraint } from './add-constraint.js';
import { createIndex } from './create-index.js';

const DOWN = [
  'DROP INDEX "job_account_transcript"',
  'DROP INDEX "account_transcript_retention"',
  'ALTER TABLE "account" DROP CONSTRAINT "account_transcript_retention_positive"',
  'ALTER TABLE "account" DROP COLUMN "transcript_retention_days"',
];

/**
 * Processors of the previous version leave transcripts that only the account wants deleted to newer ones. Repeatable, because it
 * has no transaction.
 */
export class AccountRetention1763960000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "account" ADD COLUMN IF NOT EXISTS "transcript_retention_days" integer');
    await addConstraint(
      runner,
      'account',
      'account_transcript_retention_positive',
      'CHECK ("transcript_retention_days" > 0)',
    );
    await createIndex(
      runner,
      'account_transcript_retention',
      'ON "account" ("id") WHERE "transcript_retention_days" IS NOT NULL',
    );
    await createIndex(
      runner,
      'job_account_transcript',
      'ON "job" ("account_id", "finished_at") WHERE "result_key" IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
