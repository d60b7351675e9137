import type { MigrationInterface, QueryRunner } from 'typeorm';

const DELETED_JOB = `CREATE TABLE "deleted_job" (
    "job_id" uuid NOT NULL,
    "audio_key" text NOT NULL,
    "upload_id" text,
    "final_deletion_at" TIMESTAMP WITH TIME ZONE NOT NULL,
    CONSTRAINT "deleted_job_pk" PRIMARY KEY ("job_id")
  )`;

/** Table of jobs that were deleted on request, while their objects are not. */
export class DeletedJobs1795659000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DELETED_JOB);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "deleted_job"');
  }
}
