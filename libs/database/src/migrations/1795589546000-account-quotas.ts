import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountQuotas1795589546000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "account" ADD "quotas" jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "account" DROP COLUMN "quotas"');
  }
}
