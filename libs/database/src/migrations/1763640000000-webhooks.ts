import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "webhook_secret" (
    "account_id" uuid NOT NULL,
    "key_id" text NOT NULL,
    "sealed" bytea NOT NULL,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "webhook_secret_pk" PRIMARY KEY ("account_id")
  )`,
  `CREATE TABLE "webhook_delivery" (
    "id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "job_id" uuid NOT NULL,
    "url" text NOT NULL,
    "event" text NOT NULL,
    "body" text,
    "state" text NOT NULL DEFAULT 'pending',
    "attempts" integer NOT NULL DEFAULT '0',
    "attempts_before" integer NOT NULL DEFAULT '0',
    "next_attempt_at" timestamptz(6) NOT NULL DEFAULT now(),
    "lease_until" timestamptz(6),
    "fence" integer NOT NULL DEFAULT '0',
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "finished_at" timestamptz(6),
    CONSTRAINT "webhook_delivery_job" UNIQUE ("job_id"),
    CONSTRAINT "webhook_delivery_event_known" CHECK ("event" IN ('completed', 'failed')),
    CONSTRAINT "webhook_delivery_state_known" CHECK ("state" IN ('pending', 'delivered', 'failed')),
    CONSTRAINT "webhook_delivery_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "webhook_delivery_account" ON "webhook_delivery" ("account_id", "id")`,
  `CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("next_attempt_at") WHERE "state" = 'pending'`,
  `CREATE TABLE "webhook_attempt" (
    "delivery_id" uuid NOT NULL,
    "number" integer NOT NULL,
    "at" timestamptz(6) NOT NULL DEFAULT now(),
    "status_code" integer,
    "error" text,
    "ms" integer NOT NULL,
    CONSTRAINT "webhook_attempt_pk" PRIMARY KEY ("delivery_id", "number")
  )`,
  `ALTER TABLE "webhook_secret" ADD CONSTRAINT "webhook_secret_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_job_fk" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_fk" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class Webhooks1763640000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['webhook_attempt', 'webhook_delivery', 'webhook_secret'])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
