import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  'ALTER TABLE "api_key" ADD "created_by" uuid',
  'ALTER TABLE "api_key" ADD "expires_at" timestamptz(6)',
  'ALTER TABLE "api_key" ADD "last_used_at" timestamptz(6)',
  `ALTER TABLE "api_key" ADD CONSTRAINT "api_key_creator_fk" FOREIGN KEY ("created_by") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
  `CREATE TABLE "limit_request" (
    "id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "key_id" text NOT NULL,
    "limit_name" text NOT NULL,
    "requests_per_minute" integer NOT NULL,
    "reason" text NOT NULL,
    "state" text NOT NULL DEFAULT 'pending',
    "answer" text,
    "requested_by" uuid,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "decided_at" timestamptz(6),
    CONSTRAINT "limit_request_state_known" CHECK ("state" IN ('pending', 'granted', 'declined')),
    CONSTRAINT "limit_request_pk" PRIMARY KEY ("id")
  )`,
  'CREATE INDEX "limit_request_account" ON "limit_request" ("account_id", "id")',
  `CREATE UNIQUE INDEX "limit_request_pending" ON "limit_request" ("key_id", "limit_name") WHERE "state" = 'pending'`,
  `ALTER TABLE "limit_request" ADD CONSTRAINT "limit_request_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "limit_request" ADD CONSTRAINT "limit_request_key_fk" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "limit_request" ADD CONSTRAINT "limit_request_user_fk" FOREIGN KEY ("requested_by") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
];

const DOWN = [
  'DROP TABLE "limit_request"',
  // Without their expiry, expired keys would be valid again.
  'UPDATE "api_key" SET "revoked_at" = now() WHERE "expires_at" <= now() AND "revoked_at" IS NULL',
  'ALTER TABLE "api_key" DROP COLUMN "last_used_at"',
  'ALTER TABLE "api_key" DROP COLUMN "expires_at"',
  'ALTER TABLE "api_key" DROP COLUMN "created_by"',
];

/** Programs of the previous version create keys without an expiry and do not record their use. */
export class ConsoleKeys1763910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
