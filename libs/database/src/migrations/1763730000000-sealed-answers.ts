import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration has no encryption key, so it deletes the plain responses of the last day. */
export class SealedAnswers1763730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM "idempotency_key" WHERE "answer" IS NOT NULL');
    await runner.query('ALTER TABLE "idempotency_key" DROP CONSTRAINT "idempotency_key_answered"');
    await runner.query(
      'ALTER TABLE "idempotency_key" DROP COLUMN "answer", ADD "key_id" text, ADD "sealed" bytea',
    );
    await runner.query(
      `ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_answered"
       CHECK (("fingerprint" IS NULL) = ("sealed" IS NULL) AND ("sealed" IS NULL) = ("key_id" IS NULL))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM "idempotency_key" WHERE "sealed" IS NOT NULL');
    await runner.query('ALTER TABLE "idempotency_key" DROP CONSTRAINT "idempotency_key_answered"');
    await runner.query(
      'ALTER TABLE "idempotency_key" DROP COLUMN "key_id", DROP COLUMN "sealed", ADD "answer" text',
    );
    await runner.query(
      `ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_answered"
       CHECK (("fingerprint" IS NULL) = ("answer" IS NULL))`,
    );
  }
}
