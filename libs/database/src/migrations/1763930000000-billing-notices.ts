import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addConstraint } from './add-constraint.js';
import { replaceIndex } from './create-index.js';

const UP = [
  `CREATE TABLE IF NOT EXISTS "credit_alert" (
    "account_id" uuid NOT NULL,
    "below" bigint NOT NULL,
    "next_notice_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "credit_alert_below_positive" CHECK ("below" > 0),
    CONSTRAINT "credit_alert_pk" PRIMARY KEY ("account_id")
  )`,
  'ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "next_notice_at" timestamptz(6)',
];

const DOWN = [
  'DROP INDEX "credit_entry_account"',
  'CREATE INDEX "credit_entry_account" ON "credit_entry" ("account_id")',
  'ALTER TABLE "payment" DROP COLUMN "next_notice_at"',
  'DROP TABLE "credit_alert"',
];

/** Programs of the previous version leave the new column null. Repeatable, because it has no transaction. */
export class BillingNotices1763930000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    await addConstraint(
      runner,
      'credit_alert',
      'credit_alert_account_fk',
      'FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION',
    );
    await replaceIndex(runner, 'credit_entry_account', 'ON "credit_entry" ("account_id", "id")');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
