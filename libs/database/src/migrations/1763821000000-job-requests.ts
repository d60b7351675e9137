import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which request created a job, and since when a stage waits. Both are added without rewriting a row: stages that wait
 * meanwhile count from now on.
 */
export class JobRequests1763821000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "job" ADD "request_id" text`);
    await runner.query(
      `ALTER TABLE "job_stage" ADD "waiting_since" TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "job_stage" DROP COLUMN "waiting_since"`);
    await runner.query(`ALTER TABLE "job" DROP COLUMN "request_id"`);
  }
}
