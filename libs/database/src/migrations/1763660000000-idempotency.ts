import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "idempotency_key" (
    "account_id" uuid NOT NULL,
    "route" text NOT NULL,
    "key" text NOT NULL,
    "claim" uuid NOT NULL,
    "fingerprint" text,
    "answer" text,
    "expires_at" timestamptz(6) NOT NULL,
    CONSTRAINT "idempotency_key_answered" CHECK (("fingerprint" IS NULL) = ("answer" IS NULL)),
    CONSTRAINT "idempotency_key_pk" PRIMARY KEY ("account_id", "route", "key")
  )`,
  `CREATE INDEX "idempotency_key_expiry" ON "idempotency_key" ("expires_at")`,
];

export class Idempotency1763660000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "idempotency_key"');
  }
}
