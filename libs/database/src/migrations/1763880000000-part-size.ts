import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null for uploads that were created before, which accept parts of any size. */
export class PartSize1763880000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" ADD "part_size" bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" DROP COLUMN "part_size"');
  }
}
