import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a single upload was declared to have. Uploads that were created before have none, and are not judged by it. */
export class DeclaredSize1763810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "job" ADD "declared_size" bigint`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "job" DROP COLUMN "declared_size"`);
  }
}
