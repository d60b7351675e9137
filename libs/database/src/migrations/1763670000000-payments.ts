import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "auto_recharge" (
    "account_id" uuid NOT NULL,
    "below" bigint NOT NULL,
    "credits" bigint NOT NULL,
    "changed_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "auto_recharge_credits_positive" CHECK ("credits" > 0),
    CONSTRAINT "auto_recharge_below_positive" CHECK ("below" > 0),
    CONSTRAINT "auto_recharge_pk" PRIMARY KEY ("account_id")
  )`,
  `CREATE TABLE "payment" (
    "id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "credits" bigint NOT NULL,
    "state" text NOT NULL DEFAULT 'requested',
    "reference" text,
    "asked_at" timestamptz(6) NOT NULL DEFAULT now(),
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "ended_at" timestamptz(6),
    CONSTRAINT "payment_credits_positive" CHECK ("credits" > 0),
    CONSTRAINT "payment_state_known" CHECK ("state" IN ('requested', 'settled', 'declined')),
    CONSTRAINT "payment_pk" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "payment_open" ON "payment" ("account_id") WHERE "state" = 'requested'`,
  `CREATE INDEX "payment_account" ON "payment" ("account_id", "id")`,
  `ALTER TABLE "credit_entry" ADD "payment_id" uuid`,
  `CREATE UNIQUE INDEX "credit_entry_payment" ON "credit_entry" ("payment_id") WHERE "payment_id" IS NOT NULL`,
  `ALTER TABLE "auto_recharge" ADD CONSTRAINT "auto_recharge_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "payment" ADD CONSTRAINT "payment_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

export class Payments1763670000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "credit_entry" DROP COLUMN "payment_id"');
    for (const table of ['payment', 'auto_recharge']) await runner.query(`DROP TABLE "${table}"`);
  }
}
