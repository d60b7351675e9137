import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits of before are in the currency of the last payment of their account. */
export class RechargeLimitCurrency1795905000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "auto_recharge" ADD "limit_currency" text');
    await runner.query(
      `UPDATE "auto_recharge" SET "limit_currency" = latest."currency"
       FROM (SELECT DISTINCT ON ("account_id") "account_id", "currency" FROM "payment"
             WHERE "currency" IS NOT NULL ORDER BY "account_id", "id" DESC) latest
       WHERE latest."account_id" = "auto_recharge"."account_id" AND "monthly_limit" IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "auto_recharge" DROP COLUMN "limit_currency"');
  }
}
