import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  'ALTER TABLE "account" ADD "requires_two_factors" boolean NOT NULL DEFAULT false',
  'ALTER TABLE "user_session" ADD "two_factors" boolean NOT NULL DEFAULT false',
];

const DOWN = [
  'ALTER TABLE "user_session" DROP COLUMN "two_factors"',
  'ALTER TABLE "account" DROP COLUMN "requires_two_factors"',
];

/** Sessions that began before count as one factor: their users confirm the other one where an account requires it. */
export class RequiredTwoFactors1763990000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
