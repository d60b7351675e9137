import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  'ALTER TABLE "job" ADD "details_deleted_at" timestamptz(6)',
  `CREATE INDEX "job_details_kept" ON "job" ("finished_at")
   WHERE "details_deleted_at" IS NULL AND "finished_at" IS NOT NULL`,
  'CREATE INDEX "job_details_deleted" ON "job" ("finished_at") WHERE "details_deleted_at" IS NOT NULL',
];

const DOWN = [
  'DROP INDEX "job_details_deleted"',
  'DROP INDEX "job_details_kept"',
  'ALTER TABLE "job" DROP COLUMN "details_deleted_at"',
];

export class JobRetention1795600404000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
