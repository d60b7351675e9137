import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Processors of the previous version count a crash in `attempts` alone, as before. */
export class StageCrashes1795903000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "job_stage" ADD "crashes" integer NOT NULL DEFAULT '0'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job_stage" DROP COLUMN "crashes"');
  }
}
