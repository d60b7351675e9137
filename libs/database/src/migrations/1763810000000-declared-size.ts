import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null for uploads that were created before, whose size is not validated. */
export class DeclaredSize1763810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "job" ADD "declared_size" bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "job" DROP COLUMN "declared_size"`);
  }
}
