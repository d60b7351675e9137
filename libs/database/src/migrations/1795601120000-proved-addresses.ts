import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of before keep what they sign in with. */
export class ProvedAddresses1795601120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "app_user" ADD "address_proved" boolean NOT NULL DEFAULT false');
    await runner.query('UPDATE "app_user" SET "address_proved" = true');
    await runner.query('ALTER TABLE "invitation" ADD "is_mailed" boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "invitation" DROP COLUMN "is_mailed"');
    await runner.query('ALTER TABLE "app_user" DROP COLUMN "address_proved"');
  }
}
