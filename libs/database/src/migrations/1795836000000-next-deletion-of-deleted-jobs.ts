import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A deletion of objects that failed, or was left to maintenance, is due at once; its repetition when nothing can store more. */
export class NextDeletionOfDeletedJobs1795836000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE "deleted_job" ADD COLUMN "next_deletion_at" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now()',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "deleted_job" DROP COLUMN "next_deletion_at"');
  }
}
