import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './create-index.js';

/**
 * For a week after the expiry of its URL, a deletion is repeated daily: the index finds those that are due, and the column says
 * which repeat the deletion of audio only. Rows of older programs repeat all. Repeatable, because it has no transaction.
 */
export class RepeatedDeletionOfAudio1795837000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "deleted_job" ADD COLUMN IF NOT EXISTS "worker_writes_end_at" TIMESTAMP WITH TIME ZONE DEFAULT 'infinity'`,
    );
    await createIndex(runner, 'deleted_job_next_deletion', 'ON "deleted_job" ("next_deletion_at")');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX "deleted_job_next_deletion"');
    await runner.query('ALTER TABLE "deleted_job" DROP COLUMN "worker_writes_end_at"');
  }
}
