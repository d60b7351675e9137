import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration has no encryption key, so it deletes plain bodies; the next attempt builds them again. */
export class SealedBodies1763750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE "webhook_delivery" DROP COLUMN "body", ADD "key_id" text, ADD "sealed" bytea',
    );
    await runner.query(
      `ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_sealed"
       CHECK (("sealed" IS NULL) = ("key_id" IS NULL))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "webhook_delivery" DROP CONSTRAINT "webhook_delivery_sealed"');
    await runner.query(
      'ALTER TABLE "webhook_delivery" DROP COLUMN "key_id", DROP COLUMN "sealed", ADD "body" text',
    );
  }
}
