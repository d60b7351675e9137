import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The previous version ignores it and sends. */
export class HeldWebhooks1763872000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "installation" ADD "webhooks_held_at" timestamptz(6)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "installation" DROP COLUMN "webhooks_held_at"');
  }
}
