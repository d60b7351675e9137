import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  'ALTER TABLE "job" ADD "audio_delete_from" timestamptz(6)',
  'DROP INDEX "job_audio_left"',
  // An expression, which entities cannot describe.
  `CREATE INDEX "job_audio_due" ON "job" ((COALESCE("audio_delete_from", "finished_at")))
   WHERE "audio_deleted_at" IS NULL AND "status" <> 'processing'`,
];

const DOWN = [
  'DROP INDEX "job_audio_due"',
  `CREATE INDEX "job_audio_left" ON "job" ("audio_deleted_at") WHERE "audio_deleted_at" IS NULL AND "status" <> 'processing'`,
  'ALTER TABLE "job" DROP COLUMN "audio_delete_from"',
];

/** Processors of the previous version delete without a claim, which only repeats deletions. */
export class AudioDeletionClaims1795580700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}
