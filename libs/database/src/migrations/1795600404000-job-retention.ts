import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './create-index.js';

/** Repeatable, because it has no transaction. */
export class JobRetention1795600404000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" ADD COLUMN IF NOT EXISTS "details_deleted_at" timestamptz(6)');
    await createIndex(
      runner,
      'job_details_kept',
      'ON "job" ("finished_at") WHERE "details_deleted_at" IS NULL AND "finished_at" IS NOT NULL',
    );
    await createIndex(
      runner,
      'job_details_deleted',
      'ON "job" ("finished_at") WHERE "details_deleted_at" IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "job_details_deleted"');
    await runner.query('DROP INDEX "job_details_kept"');
    await runner.query('ALTER TABLE "job" DROP COLUMN "details_deleted_at"');
  }
}
