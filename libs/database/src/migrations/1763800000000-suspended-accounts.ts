import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SuspendedAccounts1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "account" ADD "suspended_at" timestamptz(6)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "account" DROP COLUMN "suspended_at"');
  }
}
