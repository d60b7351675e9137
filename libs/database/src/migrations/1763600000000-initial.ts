import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "account" (
    "id" uuid NOT NULL,
    "name" text NOT NULL,
    "balance" bigint NOT NULL DEFAULT '0',
    "last_job_at" timestamptz(6) NOT NULL DEFAULT now(),
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "account_balance_not_negative" CHECK ("balance" >= 0),
    CONSTRAINT "account_pk" PRIMARY KEY ("id")
  )`,
  `CREATE TABLE "api_key" (
    "id" text NOT NULL,
    "account_id" uuid NOT NULL,
    "name" text NOT NULL,
    "hash" bytea NOT NULL,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "revoked_at" timestamptz(6),
    CONSTRAINT "api_key_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "api_key_account" ON "api_key" ("account_id")`,
  `CREATE TABLE "credit_entry" (
    "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    "account_id" uuid NOT NULL,
    "kind" text NOT NULL,
    "amount" bigint NOT NULL,
    "job_id" uuid,
    "note" text,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "credit_entry_kind_known" CHECK ("kind" IN ('grant', 'hold', 'release', 'capture')),
    CONSTRAINT "credit_entry_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "credit_entry_account" ON "credit_entry" ("account_id")`,
  `CREATE UNIQUE INDEX "credit_entry_job_kind" ON "credit_entry" ("job_id", "kind") WHERE "job_id" IS NOT NULL`,
  `CREATE TABLE "installation" (
    "id" integer NOT NULL DEFAULT '1',
    "secret_fingerprint" text NOT NULL,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "installation_single" CHECK ("id" = 1),
    CONSTRAINT "installation_pk" PRIMARY KEY ("id")
  )`,
  `CREATE TABLE "job" (
    "id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "created_at" timestamptz(6) NOT NULL,
    "status" text NOT NULL DEFAULT 'processing',
    "source" text NOT NULL,
    "options" jsonb NOT NULL,
    "audio_key" text NOT NULL,
    "audio_url" text,
    "content_type" text NOT NULL,
    "upload_id" text,
    "upload_expires_at" timestamptz(6),
    "upload_session_until" timestamptz(6),
    "stored_size" bigint,
    "stored_etag" text,
    "queued_at" timestamptz(6),
    "deadline_at" timestamptz(6),
    "event_seq" integer NOT NULL DEFAULT '0',
    "steps_done" integer NOT NULL DEFAULT '0',
    "steps_total" integer,
    "duration" double precision,
    "result_key" text,
    "failed_stage" text,
    "reason" text,
    "finished_at" timestamptz(6),
    "audio_deleted_at" timestamptz(6),
    CONSTRAINT "job_account_created" UNIQUE ("account_id", "created_at"),
    CONSTRAINT "job_source_known" CHECK ("source" IN ('upload', 'multipart', 'url', 'stream')),
    CONSTRAINT "job_status_known" CHECK ("status" IN ('processing', 'completed', 'failed')),
    CONSTRAINT "job_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "job_pending_upload" ON "job" ("upload_expires_at") WHERE "queued_at" IS NULL AND "status" = 'processing'`,
  `CREATE INDEX "job_deadline" ON "job" ("deadline_at") WHERE "status" = 'processing'`,
  `CREATE INDEX "job_audio_left" ON "job" ("audio_deleted_at") WHERE "audio_deleted_at" IS NULL AND "status" <> 'processing'`,
  `CREATE TABLE "job_event" (
    "job_id" uuid NOT NULL,
    "seq" integer NOT NULL,
    "type" text NOT NULL,
    "data" jsonb NOT NULL,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "job_event_pk" PRIMARY KEY ("job_id", "seq")
  )`,
  `CREATE TABLE "job_stage" (
    "job_id" uuid NOT NULL,
    "name" text NOT NULL,
    "queue" text NOT NULL,
    "chunk_index" integer NOT NULL DEFAULT '0',
    "state" text NOT NULL DEFAULT 'pending',
    "fence" integer NOT NULL DEFAULT '0',
    "attempts" integer NOT NULL DEFAULT '0',
    "due_at" timestamptz(6) NOT NULL DEFAULT now(),
    "lease_until" timestamptz(6),
    "input" jsonb,
    "result" jsonb,
    "last_error" text,
    "started_at" timestamptz(6),
    "finished_at" timestamptz(6),
    CONSTRAINT "job_stage_state_known" CHECK ("state" IN ('pending', 'running', 'done', 'dropped')),
    CONSTRAINT "job_stage_pk" PRIMARY KEY ("job_id", "name")
  )`,
  `CREATE INDEX "job_stage_due" ON "job_stage" ("due_at") WHERE "state" = 'pending'`,
  `CREATE INDEX "job_stage_lease" ON "job_stage" ("lease_until") WHERE "state" = 'running'`,
  `CREATE TABLE "outbox" (
    "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    "queue" text NOT NULL,
    "delivery_id" text NOT NULL,
    "payload" jsonb NOT NULL,
    "due_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "outbox_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "outbox_due" ON "outbox" ("due_at")`,
  `ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "credit_entry" ADD CONSTRAINT "credit_entry_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "job" ADD CONSTRAINT "job_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "job_event" ADD CONSTRAINT "job_event_job_fk" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "job_stage" ADD CONSTRAINT "job_stage_job_fk" FOREIGN KEY ("job_id") REFERENCES "job"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

const TABLES = [
  'outbox',
  'job_event',
  'job_stage',
  'job',
  'credit_entry',
  'api_key',
  'installation',
  'account',
];

export class Initial1763600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP TABLE "${table}"`);
  }
}
