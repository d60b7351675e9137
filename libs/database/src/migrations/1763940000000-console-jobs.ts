import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addConstraint } from './add-constraint.js';
import { createIndex } from './create-index.js';

/** Programs of the previous version create jobs without a user. Repeatable, because it has no transaction. */
export class ConsoleJobs1763940000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" ADD COLUMN IF NOT EXISTS "created_by" uuid');
    await createIndex(runner, 'job_creator', 'ON "job" ("created_by") WHERE "created_by" IS NOT NULL');
    await addConstraint(
      runner,
      'job',
      'job_creator_fk',
      'FOREIGN KEY ("created_by") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE NO ACTION',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE "job" DROP COLUMN "created_by"');
  }
}
