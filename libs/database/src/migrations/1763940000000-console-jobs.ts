import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  'ALTER TABLE "job" ADD "created_by" uuid',
  'CREATE INDEX "job_creator" ON "job" ("created_by") WHERE "created_by" IS NOT NULL',
  `ALTER TABLE "job" ADD CONSTRAINT "job_creator_fk" FOREIGN KEY ("created_by") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE NO ACTION`,
];

/** Programs of the previous version create jobs without a user. */
export class ConsoleJobs1763940000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" DROP COLUMN "created_by"');
  }
}
