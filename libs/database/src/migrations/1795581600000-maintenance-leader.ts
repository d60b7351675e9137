import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex } from './create-index.js';

const MAINTENANCE_LEASE = `CREATE TABLE IF NOT EXISTS "maintenance_lease" (
    "name" text NOT NULL,
    "holder" uuid NOT NULL,
    "lease_until" timestamptz(6) NOT NULL,
    CONSTRAINT "maintenance_lease_pk" PRIMARY KEY ("name")
  )`;

const DOWN = [
  `CREATE INDEX "job_stage_due" ON "job_stage" ("due_at") WHERE "state" = 'pending'`,
  'DROP INDEX "job_stage_queue_due"',
  'DROP TABLE "maintenance_lease"',
];

/** Processors of the previous version maintain as well, which only repeats work. Repeatable, because it has no transaction. */
export class MaintenanceLeader1795581600000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(MAINTENANCE_LEASE);
    // The sweep counts the due stages of each queue.
    await createIndex(
      runner,
      'job_stage_queue_due',
      `ON "job_stage" ("queue", "due_at") WHERE "state" = 'pending'`,
    );
    await dropIndex(runner, 'job_stage_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
