import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex } from './create-index.js';

/**
 * Their conditions name the indexed column too, so that a look-up of an open job by its id cannot use them: the planner took them
 * for smaller than the primary key, and then read all open jobs. Repeatable, because it has no transaction.
 */
export class OpenJobIndexes1795603196000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(
      runner,
      'job_upload_expiry',
      `ON "job" ("upload_expires_at")
       WHERE "queued_at" IS NULL AND "status" = 'processing' AND "upload_expires_at" IS NOT NULL`,
    );
    await createIndex(
      runner,
      'job_open_deadline',
      `ON "job" ("deadline_at") WHERE "status" = 'processing' AND "deadline_at" IS NOT NULL`,
    );
    await dropIndex(runner, 'job_pending_upload');
    await dropIndex(runner, 'job_deadline');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX "job_pending_upload" ON "job" ("upload_expires_at") WHERE "queued_at" IS NULL AND "status" = 'processing'`,
    );
    await runner.query(`CREATE INDEX "job_deadline" ON "job" ("deadline_at") WHERE "status" = 'processing'`);
    await runner.query('DROP INDEX "job_open_deadline"');
    await runner.query('DROP INDEX "job_upload_expiry"');
  }
}
