import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE "job_stage" ADD "account_id" uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'`,
  `ALTER TABLE "job_stage" ADD "place" bigint NOT NULL DEFAULT '0'`,
  // Ended stages do not need an account.
  `UPDATE "job_stage" stage SET "account_id" = job."account_id"
   FROM "job" WHERE job."id" = stage."job_id" AND stage."state" IN ('pending', 'running')`,
  `CREATE INDEX "job_stage_turn" ON "job_stage" ("queue", "account_id", "place", "job_id") WHERE "state" = 'pending'`,
  `CREATE TABLE "turn" (
    "queue" text NOT NULL,
    "account_id" uuid NOT NULL,
    "taken_at" timestamptz(6) NOT NULL,
    CONSTRAINT "turn_pk" PRIMARY KEY ("queue", "account_id")
  )`,
];

const DOWN = [
  `DROP TABLE "turn"`,
  `DROP INDEX "job_stage_turn"`,
  `ALTER TABLE "job_stage" DROP COLUMN "place"`,
  `ALTER TABLE "job_stage" DROP COLUMN "account_id"`,
];

export class Turns1763740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
