import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "maintenance_lease" (
    "name" text NOT NULL,
    "holder" uuid NOT NULL,
    "lease_until" timestamptz(6) NOT NULL,
    CONSTRAINT "maintenance_lease_pk" PRIMARY KEY ("name")
  )`,
  // The sweep counts the due stages of each queue.
  `CREATE INDEX "job_stage_queue_due" ON "job_stage" ("queue", "due_at") WHERE "state" = 'pending'`,
  'DROP INDEX "job_stage_due"',
];

const DOWN = [
  `CREATE INDEX "job_stage_due" ON "job_stage" ("due_at") WHERE "state" = 'pending'`,
  'DROP INDEX "job_stage_queue_due"',
  'DROP TABLE "maintenance_lease"',
];

/** Processors of the previous version maintain as well, which only repeats work. */
export class MaintenanceLeader1795581600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
