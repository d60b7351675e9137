import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of before keep the account that they saw last. */
export class LastAccounts1795903100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "app_user" ADD "last_account_id" uuid');
    await runner.query(
      `UPDATE "app_user" SET "last_account_id" = latest."account_id"
       FROM (SELECT DISTINCT ON ("user_id") "user_id", "account_id" FROM "user_session"
             WHERE "account_id" IS NOT NULL ORDER BY "user_id", "last_seen_at" DESC) latest
       WHERE latest."user_id" = "app_user"."id"`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "app_user" DROP COLUMN "last_account_id"');
  }
}
