import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE "job" ADD "api_key_id" text`,
  `ALTER TABLE "job" ADD "metadata" jsonb`,
  `CREATE TABLE "job_metadata" (
    "job_id" uuid NOT NULL,
    "key" text NOT NULL,
    "account_id" uuid NOT NULL,
    "value" text NOT NULL,
    "created_at" timestamptz(6) NOT NULL,
    CONSTRAINT "job_metadata_pk" PRIMARY KEY ("job_id", "key"),
    CONSTRAINT "job_metadata_job_fk" FOREIGN KEY ("job_id") REFERENCES "job" ("id") ON DELETE CASCADE
  )`,
  `CREATE INDEX "job_metadata_match" ON "job_metadata" ("account_id", "key", "value", "created_at")`,
  `CREATE INDEX "job_account_status" ON "job" ("account_id", "status", "created_at")`,
  `CREATE INDEX "job_key_created" ON "job" ("api_key_id", "created_at") WHERE "api_key_id" IS NOT NULL`,
  `CREATE INDEX "job_key_finished" ON "job" ("api_key_id", "finished_at") WHERE "api_key_id" IS NOT NULL`,
];

const DOWN = [
  `DROP INDEX "job_key_finished"`,
  `DROP INDEX "job_key_created"`,
  `DROP INDEX "job_account_status"`,
  `DROP TABLE "job_metadata"`,
  `ALTER TABLE "job" DROP COLUMN "metadata"`,
  `ALTER TABLE "job" DROP COLUMN "api_key_id"`,
];

export class JobMetadata1763840000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
