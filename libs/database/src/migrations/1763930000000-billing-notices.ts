import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "credit_alert" (
    "account_id" uuid NOT NULL,
    "below" bigint NOT NULL,
    "next_notice_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "credit_alert_below_positive" CHECK ("below" > 0),
    CONSTRAINT "credit_alert_pk" PRIMARY KEY ("account_id")
  )`,
  `ALTER TABLE "credit_alert" ADD CONSTRAINT "credit_alert_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  'ALTER TABLE "payment" ADD "next_notice_at" timestamptz(6)',
  'DROP INDEX "credit_entry_account"',
  'CREATE INDEX "credit_entry_account" ON "credit_entry" ("account_id", "id")',
];

const DOWN = [
  'DROP INDEX "credit_entry_account"',
  'CREATE INDEX "credit_entry_account" ON "credit_entry" ("account_id")',
  'ALTER TABLE "payment" DROP COLUMN "next_notice_at"',
  'DROP TABLE "credit_alert"',
];

/** Programs of the previous version leave the new column null. */
export class BillingNotices1763930000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
