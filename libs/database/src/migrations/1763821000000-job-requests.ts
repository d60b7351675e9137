import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds both columns without rewriting rows: stages that wait during the migration count from then on. */
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
