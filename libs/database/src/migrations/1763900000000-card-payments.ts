import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addConstraint } from './add-constraint.js';
import { createIndex, replaceIndex } from './create-index.js';

const UP = [
  `ALTER TABLE "account" ADD COLUMN IF NOT EXISTS "owed_credits" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "auto_recharge" ADD COLUMN IF NOT EXISTS "monthly_limit" bigint`,
  `ALTER TABLE "auto_recharge" ADD COLUMN IF NOT EXISTS "paused_at" timestamptz(6)`,
  `ALTER TABLE "auto_recharge" ADD COLUMN IF NOT EXISTS "pause_reason" text`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "kind" text NOT NULL DEFAULT 'recharge'`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "provider" text NOT NULL DEFAULT 'manual'`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "amount" bigint`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "currency" text`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "checkout_id" text`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "action_url" text`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "receipt_url" text`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "failure" text`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "refunded_amount" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "reversed_credits" bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE "payment" ADD COLUMN IF NOT EXISTS "version" integer NOT NULL DEFAULT 0`,
  `CREATE TABLE IF NOT EXISTS "payment_dispute" (
    "id" text NOT NULL,
    "account_id" uuid NOT NULL,
    "payment_id" uuid NOT NULL,
    "amount" bigint NOT NULL,
    "currency" text NOT NULL,
    "reason" text NOT NULL,
    "status" text NOT NULL,
    "created_at" timestamptz(6) NOT NULL,
    "closed_at" timestamptz(6),
    CONSTRAINT "payment_dispute_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX IF NOT EXISTS "payment_dispute_payment" ON "payment_dispute" ("payment_id")`,
  `CREATE INDEX IF NOT EXISTS "payment_dispute_open" ON "payment_dispute" ("account_id") WHERE "closed_at" IS NULL AND "status" NOT LIKE 'warning%'`,
  `CREATE TABLE IF NOT EXISTS "payment_event" (
    "id" text NOT NULL,
    "type" text NOT NULL,
    "payment_id" uuid,
    "created_at" timestamptz(6) NOT NULL,
    "received_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "payment_event_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX IF NOT EXISTS "payment_event_payment" ON "payment_event" ("payment_id")`,
  `CREATE INDEX IF NOT EXISTS "payment_event_received" ON "payment_event" ("received_at")`,
  `CREATE TABLE IF NOT EXISTS "payment_event_scan" (
    "provider" text NOT NULL,
    "started_at" timestamptz(6) NOT NULL,
    "scanned_until" timestamptz(6),
    CONSTRAINT "payment_event_scan_pk" PRIMARY KEY ("provider")
  )`,
  `CREATE TABLE IF NOT EXISTS "stripe_customer" (
    "account_id" uuid NOT NULL,
    "customer_id" text NOT NULL,
    "payment_method_id" text,
    "card_brand" text,
    "card_last4" text,
    "card_expires" text,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "stripe_customer_pk" PRIMARY KEY ("account_id")
  )`,
];

const CONSTRAINTS: [table: string, name: string, definition: string][] = [
  ['account', 'account_owed_credits_not_negative', 'CHECK ("owed_credits" >= 0)'],
  ['auto_recharge', 'auto_recharge_monthly_limit_positive', 'CHECK ("monthly_limit" > 0)'],
  [
    'payment',
    'payment_state_known',
    `CHECK ("state" IN ('checkout', 'requested', 'action_required', 'settled', 'declined', 'expired'))`,
  ],
  ['payment', 'payment_kind_known', `CHECK ("kind" IN ('recharge', 'top_up'))`],
  ['payment', 'payment_provider_known', `CHECK ("provider" IN ('manual', 'stripe'))`],
  [
    'credit_entry',
    'credit_entry_kind_known',
    `CHECK ("kind" IN ('grant', 'hold', 'release', 'capture', 'reversal'))`,
  ],
  [
    'payment_dispute',
    'payment_dispute_account_fk',
    'FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  [
    'payment_dispute',
    'payment_dispute_payment_fk',
    'FOREIGN KEY ("payment_id") REFERENCES "payment"("id") ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  [
    'stripe_customer',
    'stripe_customer_account_fk',
    'FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
];

const DOWN = [
  'DROP TABLE "stripe_customer"',
  'DROP TABLE "payment_event_scan"',
  'DROP TABLE "payment_event"',
  'DROP TABLE "payment_dispute"',
  `DELETE FROM "payment" WHERE "kind" = 'top_up' AND "state" <> 'settled'`,
  `UPDATE "payment" SET "state" = 'declined' WHERE "state" IN ('action_required', 'expired')`,
  `UPDATE "credit_entry" SET "payment_id" = NULL, "kind" = 'grant' WHERE "kind" = 'reversal'`,
  'DROP INDEX "credit_entry_payment"',
  'CREATE UNIQUE INDEX "credit_entry_payment" ON "credit_entry" ("payment_id") WHERE "payment_id" IS NOT NULL',
  'ALTER TABLE "credit_entry" DROP CONSTRAINT "credit_entry_kind_known"',
  `ALTER TABLE "credit_entry" ADD CONSTRAINT "credit_entry_kind_known" CHECK ("kind" IN ('grant', 'hold', 'release', 'capture'))`,
  'DROP INDEX "payment_unfinished"',
  'ALTER TABLE "payment" DROP CONSTRAINT "payment_state_known"',
  `ALTER TABLE "payment" ADD CONSTRAINT "payment_state_known" CHECK ("state" IN ('requested', 'settled', 'declined'))`,
  ...[
    'version',
    'reversed_credits',
    'refunded_amount',
    'failure',
    'receipt_url',
    'action_url',
    'checkout_id',
    'currency',
    'amount',
    'provider',
    'kind',
  ].map((column) => `ALTER TABLE "payment" DROP COLUMN "${column}"`),
  ...['pause_reason', 'paused_at', 'monthly_limit'].map(
    (column) => `ALTER TABLE "auto_recharge" DROP COLUMN "${column}"`,
  ),
  'ALTER TABLE "account" DROP COLUMN "owed_credits"',
];

/**
 * Programs of the previous version add payments of the defaults, and write no other kind of entry with a payment. Repeatable,
 * because it has no transaction.
 */
export class CardPayments1763900000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const constraint of CONSTRAINTS) await addConstraint(runner, ...constraint);
    await createIndex(runner, 'account_owing', 'ON "account" ("id") WHERE "owed_credits" > 0');
    await createIndex(
      runner,
      'payment_intent',
      `ON "payment" ("reference") WHERE "provider" = 'stripe' AND "reference" IS NOT NULL`,
      { unique: true },
    );
    await createIndex(
      runner,
      'payment_checkout',
      'ON "payment" ("checkout_id") WHERE "checkout_id" IS NOT NULL',
      { unique: true },
    );
    await createIndex(
      runner,
      'payment_unfinished',
      `ON "payment" ("id") WHERE "state" IN ('checkout', 'requested', 'action_required')`,
    );
    await replaceIndex(
      runner,
      'credit_entry_payment',
      `ON "credit_entry" ("payment_id") WHERE "payment_id" IS NOT NULL AND "kind" = 'grant'`,
      { unique: true },
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
