import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Filled by the first program that starts, which has the service secret. */
export class HashingKey1763830000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "hashing_key" (
      "id" integer NOT NULL DEFAULT '1',
      "key_id" text NOT NULL,
      "sealed" bytea NOT NULL,
      CONSTRAINT "hashing_key_single" CHECK ("id" = 1),
      CONSTRAINT "hashing_key_pk" PRIMARY KEY ("id")
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "hashing_key"');
  }
}
