import type { MigrationInterface, QueryRunner } from 'typeorm';

export class JobTraceparent1795582140000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" ADD "traceparent" text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" DROP COLUMN "traceparent"');
  }
}
