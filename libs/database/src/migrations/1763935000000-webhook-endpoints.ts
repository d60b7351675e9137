import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addConstraint } from './add-constraint.js';
import { createIndex } from './create-index.js';

const UP = [
  `CREATE TABLE IF NOT EXISTS "webhook_endpoint" (
    "id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "url" text NOT NULL,
    "description" text NOT NULL DEFAULT '',
    "events" text array NOT NULL,
    "enabled" boolean NOT NULL DEFAULT true,
    "created_by" uuid,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "deleted_at" timestamptz(6),
    CONSTRAINT "webhook_endpoint_events_known" CHECK ("events" <@ ARRAY['completed', 'failed'] AND "events" <> '{}'),
    CONSTRAINT "webhook_endpoint_pk" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX IF NOT EXISTS "webhook_endpoint_url" ON "webhook_endpoint" ("account_id", "url") WHERE "deleted_at" IS NULL`,
  'ALTER TABLE "webhook_delivery" ADD COLUMN IF NOT EXISTS "endpoint_id" uuid',
  'ALTER TABLE "webhook_delivery" ALTER COLUMN "job_id" DROP NOT NULL',
  'ALTER TABLE "webhook_attempt" ADD COLUMN IF NOT EXISTS "key_id" text',
  'ALTER TABLE "webhook_attempt" ADD COLUMN IF NOT EXISTS "sealed" bytea',
];

const CONSTRAINTS: [table: string, name: string, definition: string][] = [
  [
    'webhook_endpoint',
    'webhook_endpoint_account_fk',
    'FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  [
    'webhook_endpoint',
    'webhook_endpoint_creator_fk',
    'FOREIGN KEY ("created_by") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE NO ACTION',
  ],
  [
    'webhook_delivery',
    'webhook_delivery_endpoint_fk',
    'FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("id") ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  [
    'webhook_delivery',
    'webhook_delivery_state_known',
    `CHECK ("state" IN ('pending', 'delivered', 'failed', 'cancelled'))`,
  ],
  ['webhook_delivery', 'webhook_delivery_event_known', `CHECK ("event" IN ('completed', 'failed', 'test'))`],
  ['webhook_delivery', 'webhook_delivery_subject', `CHECK (("event" = 'test') = ("job_id" IS NULL))`],
  ['webhook_attempt', 'webhook_attempt_sealed', 'CHECK (("sealed" IS NULL) = ("key_id" IS NULL))'],
];

const DOWN = [
  'DROP INDEX "webhook_attempt_stored_exchange"',
  'ALTER TABLE "webhook_attempt" DROP COLUMN "sealed"',
  'ALTER TABLE "webhook_attempt" DROP COLUMN "key_id"',
  // Earlier versions have one delivery a job, to its callback URL.
  `DELETE FROM "webhook_delivery" WHERE "endpoint_id" IS NOT NULL AND ("job_id" IS NULL OR "state" = 'cancelled' OR "url" IS DISTINCT FROM
     (SELECT "options"->>'callback_url' FROM "job" WHERE "job"."id" = "job_id"))`,
  'DROP INDEX "webhook_delivery_failed"',
  'DROP INDEX "webhook_delivery_endpoint"',
  'DROP INDEX "webhook_delivery_job_endpoint"',
  'DROP INDEX "webhook_delivery_callback"',
  'ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_subject"',
  'ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_event_known"',
  'ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_state_known"',
  `ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_known" CHECK ("event" IN ('completed', 'failed'))`,
  `ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_state_known" CHECK ("state" IN ('pending', 'delivered', 'failed'))`,
  'ALTER TABLE "webhook_delivery" ALTER COLUMN "job_id" SET NOT NULL',
  'ALTER TABLE "webhook_delivery" DROP COLUMN "endpoint_id"',
  'ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_job" UNIQUE ("job_id")',
  'DROP TABLE "webhook_endpoint"',
];

/** Programs of the previous version make no deliveries for endpoints. Repeatable, because it has no transaction. */
export class WebhookEndpoints1763935000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const constraint of CONSTRAINTS) await addConstraint(runner, ...constraint);
    const unique = { unique: true };
    await createIndex(
      runner,
      'webhook_delivery_callback',
      'ON "webhook_delivery" ("job_id") WHERE "endpoint_id" IS NULL',
      unique,
    );
    await createIndex(
      runner,
      'webhook_delivery_job_endpoint',
      'ON "webhook_delivery" ("job_id", "endpoint_id")',
      unique,
    );
    await createIndex(runner, 'webhook_delivery_endpoint', 'ON "webhook_delivery" ("endpoint_id", "id")');
    await createIndex(
      runner,
      'webhook_delivery_failed',
      `ON "webhook_delivery" ("account_id", "id") WHERE "state" = 'failed'`,
    );
    await runner.query('ALTER TABLE "webhook_delivery" DROP CONSTRAINT IF EXISTS "webhook_delivery_job"');
    await createIndex(
      runner,
      'webhook_attempt_stored_exchange',
      'ON "webhook_attempt" ("at") WHERE "sealed" IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
